import { Pool } from "pg";

const { DATABASE_URL } = process.env;
if (!DATABASE_URL) throw new Error("Set DATABASE_URL in .env: postgres://user:password@host/name");

export const database = new Pool({ connectionString: DATABASE_URL });

// Without a listener, a connection that breaks between two queries would end the process.
database.on("error", (error) => console.error(error));
