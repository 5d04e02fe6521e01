import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import type { Log } from "../logs/log";

/** A pool of connections; none is opened before it is needed. */
export function openPostgres(url: string, poolSize: number, log: Log): Kysely<unknown> {
	const pool = new Pool({
		connectionString: url,
		max: poolSize,
		// Without it a server that does not answer would hold callers for minutes.
		connectionTimeoutMillis: 5000,
		keepAlive: true,
		application_name: "better-auth-tenant",
	});
	// A connection that breaks while nothing is asked on it would otherwise end the process: in the
	// pool, or between the statements of a transaction. The pool opens another.
	pool.on("error", (error) => log.warn({ err: error }, "a database connection broke"));
	pool.on("connect", (client) => client.on("error", () => {}));
	return new Kysely({ dialect: new PostgresDialect({ pool }) });
}
