import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from "kysely";
import Database from "libsql";
import type { Pool } from "pg";
import type { HostDatabase, Rows } from "../worlds/instance";
import type { OpenDatabase } from "./databases";
import type { Statement } from "./query-plan";

export interface RecordedDatabase extends HostDatabase {
	/** What was sent over `db`, in its order. */
	statements: Statement[];
}

/** The same database over a Kysely that records what it sends. */
export function recordStatements({ type, pool }: Pick<OpenDatabase, "type" | "pool">) {
	const statements: Statement[] = [];
	const db = new Kysely<Rows>({
		dialect: dialectOf(type, pool),
		log: ({ query }) => {
			statements.push(query);
		},
	});
	return { db, type, statements } satisfies RecordedDatabase;
}

function dialectOf(type: HostDatabase["type"], pool: unknown) {
	if (type === "sqlite") return new SqliteDialect({ database: new Database(":memory:") });
	if (type === "postgres") return new PostgresDialect({ pool: pool as Pool });
	// Kysely speaks to the pool of callbacks that is inside.
	return new MysqlDialect({ pool: (pool as { pool: never }).pool });
}
