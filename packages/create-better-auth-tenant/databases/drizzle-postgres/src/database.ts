import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { drizzle } from "drizzle-orm/node-postgres";
import { Pool } from "pg";
import * as schema from "./auth-schema.js";

const { DATABASE_URL } = process.env;
if (!DATABASE_URL) throw new Error("Set DATABASE_URL in .env: postgres://user:password@host/name");

const pool = new Pool({ connectionString: DATABASE_URL });

// Without a listener, a connection that breaks between two queries would end the process.
pool.on("error", (error) => console.error(error));

/** For your own queries. They name the tenant themselves. */
export const db = drizzle({ client: pool, schema });

/** Without `transaction`, a sign-up that fails in the middle would leave rows behind. */
export const database = drizzleAdapter(db, { provider: "pg", schema, transaction: true });
