import { Kysely, SqliteDialect } from "kysely";
import Database from "libsql";

export const database = {
	// Opened by the first query: the build loads this file, and needs no database.
	db: new Kysely({
		dialect: new SqliteDialect({ database: async () => new Database("app.db") }),
	}),
	type: "sqlite" as const,
	transaction: true,
};
