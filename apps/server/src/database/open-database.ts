import { type Kysely, sql } from "kysely";
import type { Log } from "../logs/log";
import type { Settings } from "../settings";
import { openMysql } from "./open-mysql";
import { openPostgres } from "./open-postgres";
import { openSqlite } from "./open-sqlite";

/** What Better Auth takes as its `database` option. */
export type AuthDatabase = {
	db: Kysely<unknown>;
	type: "sqlite" | "postgres" | "mysql";
	transaction: true;
};

/** @throws StartError when a file cannot be made; whether a server answers is seen later */
export function openDatabase(
	{ database, databasePoolSize }: Pick<Settings, "database" | "databasePoolSize">,
	log: Log,
): AuthDatabase {
	const { type } = database;
	const open = () => {
		if (database.type === "sqlite") return openSqlite(database);
		if (database.type === "mysql") return openMysql(database.url, databasePoolSize);
		return openPostgres(database.url, databasePoolSize, log);
	};
	return { db: open(), type, transaction: true };
}

/** Asks the database something that costs nothing, and fails when it does not answer. */
export async function askDatabase({ db }: AuthDatabase): Promise<void> {
	// A query of Kysely's, not a raw one: on SQLite it must not wait for the writer.
	await db.selectNoFrom(sql<number>`1`.as("one")).execute();
}
