import { createPool } from "mysql2/promise";

const { DATABASE_URL } = process.env;
if (!DATABASE_URL) throw new Error("Set DATABASE_URL in .env: mysql://user:password@host/name");

/** Times are UTC, whatever the time zone of this machine is. */
export const database = createPool({ uri: DATABASE_URL, timezone: "Z" });
