import { Kysely, SqliteDialect } from "kysely";
import Database from "libsql";

export const database = {
	db: new Kysely({ dialect: new SqliteDialect({ database: new Database("app.db") }) }),
	type: "sqlite" as const,
	transaction: true,
};
