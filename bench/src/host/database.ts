import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from "kysely";
import Libsql from "libsql";
import { createPool } from "mysql2";
import { Pool } from "pg";

export type DatabaseType = "sqlite" | "postgres" | "mysql";

export const NAMES: Record<DatabaseType, string> = {
	sqlite: "SQLite",
	postgres: "PostgreSQL",
	mysql: "MariaDB",
};

/** Rows of any table. */
export type Rows = Record<string, Record<string, unknown>>;

export interface Statement {
	sql: string;
	parameters: readonly unknown[];
}

export interface OpenDatabase {
	db: Kysely<Rows>;
	type: DatabaseType;
	close(): Promise<void>;
}

export function typeOf(address: string): DatabaseType {
	if (address.startsWith("file:")) return "sqlite";
	if (/^postgres(ql)?:\/\//.test(address)) return "postgres";
	if (address.startsWith("mysql://")) return "mysql";
	throw new Error(`${address} is not file:…, postgres://… or mysql://…`);
}

export interface OpenOptions {
	/** Sees every statement. Without it, there is nothing between Better Auth and the driver. */
	onStatement?: ((statement: Statement) => void) | undefined;
	/** @default "wal" */
	journal?: "wal" | "delete";
}

/** Opens `file:<path>`, `postgres://…` or `mysql://…` as an app would. */
export function openDatabase(
	address: string,
	{ onStatement, journal = "wal" }: OpenOptions = {},
): OpenDatabase {
	const type = typeOf(address);
	const dialects = {
		sqlite: () => new SqliteDialect({ database: openSqlite(address, journal) }),
		postgres: () => new PostgresDialect({ pool: new Pool({ connectionString: address }) }),
		mysql: () => new MysqlDialect({ pool: createPool({ uri: address, timezone: "Z" }) }),
	};
	const db = new Kysely<Rows>({
		dialect: dialects[type](),
		...(onStatement ? { log: ({ query }) => onStatement(query) } : {}),
	});
	return { db, type, close: () => db.destroy() };
}

/** One connection, as the plugin's README has it, with the settings that a server on SQLite needs. */
export function openSqlite(address: string, journal: "wal" | "delete"): Libsql.Database {
	const database = new Libsql(address.slice("file:".length));
	database.exec("PRAGMA busy_timeout = 5000");
	database.prepare(`PRAGMA journal_mode = ${journal}`).all();
	database.exec("PRAGMA synchronous = NORMAL");
	database.exec("PRAGMA foreign_keys = ON");
	return database;
}
