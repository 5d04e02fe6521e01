import { type DrizzleAdapterConfig, drizzleAdapter } from "@better-auth/drizzle-adapter";
import type { BetterAuthOptions } from "better-auth";
import { createTableRelationsHelpers, extractTablesRelationalConfig } from "drizzle-orm";
import { BetterSQLiteSession } from "drizzle-orm/better-sqlite3/session";
import { drizzle as drizzlePostgres } from "drizzle-orm/node-postgres";
import { BaseSQLiteDatabase, SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { CamelCasePlugin, Kysely, SqliteDialect } from "kysely";
import Database from "libsql";
import type { Pool } from "pg";
import { generateSchema } from "../processes/better-auth-cli";
import { importCode } from "../processes/import-code";
import type { Rows } from "../worlds/instance";
import { type OpenDatabase, openPostgres } from "./databases";
import { createTables } from "./drizzle-tables";

type Schema = Awaited<ReturnType<typeof importCode>>;

/** SQLite under Drizzle. Its driver has no transactions that wait for anything. */
export async function openDrizzleSqlite(): Promise<OpenDatabase> {
	const database = new Database(":memory:");
	const db = new Kysely<Rows>({
		dialect: new SqliteDialect({ database }),
		plugins: [new CamelCasePlugin()],
	});
	const tables = onceWritten("sqlite", (statement) => database.exec(statement));
	return {
		db,
		type: "sqlite",
		prepare: async (options) => {
			const schema = await tables(options);
			return drizzleAdapter(drizzleSqlite(database, schema), { provider: "sqlite", schema });
		},
		close: () => db.destroy(),
	};
}

/** What `drizzle-orm/better-sqlite3` makes of a driver; it cannot be imported without its own. */
function drizzleSqlite(database: Database.Database, fullSchema: Schema) {
	const { tables, tableNamesMap } = extractTablesRelationalConfig(
		fullSchema,
		createTableRelationsHelpers,
	);
	const schema = { fullSchema, schema: tables, tableNamesMap };
	const dialect = new SQLiteSyncDialect();
	const session = new BetterSQLiteSession(database as never, dialect, schema);
	return new BaseSQLiteDatabase("sync", dialect, session as never, schema);
}

export async function openDrizzlePostgres(address: string): Promise<OpenDatabase> {
	const { db, pool, close } = await openPostgres(address);
	const client = pool as Pool;
	const tables = onceWritten("pg", (statement) => client.query(statement));
	return {
		db: db.withPlugin(new CamelCasePlugin()),
		type: "postgres",
		prepare: async (options) => {
			const schema = await tables(options);
			const database = drizzlePostgres({ client, schema });
			return drizzleAdapter(database, { provider: "pg", schema, transaction: true });
		},
		close,
	};
}

/** Generates the schema at the first call and makes its tables; later hosts share them. */
function onceWritten(
	provider: DrizzleAdapterConfig["provider"],
	run: (statement: string) => unknown,
): (options: BetterAuthOptions) => Promise<Schema> {
	let written: Promise<Schema> | undefined;
	const write = async (options: BetterAuthOptions) => {
		const code = await generateSchema(drizzleAdapter({}, { provider, schema: {} }), options);
		const schema = await importCode(code);
		for (const statement of createTables(schema)) await run(statement);
		return schema;
	};
	return (options) => {
		written ??= write(options);
		return written;
	};
}
