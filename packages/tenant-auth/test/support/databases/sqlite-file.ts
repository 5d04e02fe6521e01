import { Kysely, SqliteDialect } from "kysely";
import Database from "libsql";
import type { HostDatabase, Rows } from "../worlds/instance";

/** A SQLite file that several processes may open. */
export function openSqliteFile(file: string): HostDatabase {
	const database = new Database(file);
	database.exec("PRAGMA busy_timeout = 60000");
	database.prepare("PRAGMA journal_mode = WAL").all();
	return { db: new Kysely<Rows>({ dialect: new SqliteDialect({ database }) }), type: "sqlite" };
}
