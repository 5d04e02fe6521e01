import type { BetterAuthOptions } from "@better-auth/core";

/** What `betterAuth()` returns, or the options that it is called with. */
export type UpgradeTarget = BetterAuthOptions | { options: BetterAuthOptions };

export type DatabaseType = "sqlite" | "postgres" | "mysql";
export type Row = Record<string, unknown>;

export interface Connection {
	query(sql: string): Promise<Row[]>;
}

/** The app's SQL database. */
export interface HostDatabase {
	type: DatabaseType;
	/** The PostgreSQL schema that the app configured. */
	schemaName: string | undefined;
	/** Whether the app's Kysely instance renames tables and columns, as `CamelCasePlugin` does. */
	renamesIdentifiers: boolean;
	/** Runs `work` on one connection. */
	use<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
}

/** What `CompiledQuery.raw` returns. Kysely is a dependency of Better Auth, not of this package. */
const rawQuery = (sql: string) => ({
	sql,
	parameters: [],
	query: { kind: "RawNode" as const, sqlFragments: [sql], parameters: [] },
	queryId: { queryId: "better-auth-tenant" },
});

/**
 * Opens the database that the app passed to Better Auth, in every form that Better Auth accepts.
 * Returns `null` for an adapter (Drizzle, Prisma, MongoDB, memory) and for other databases.
 *
 * Nothing is closed afterwards, because closing would end the app's own pool.
 */
export async function findHostDatabase(options: BetterAuthOptions): Promise<HostDatabase | null> {
	const { database } = options;
	if (!database || typeof database === "function" || isD1(database)) return null;
	// Imported late: the plugin also runs in bundles without Kysely (`better-auth/minimal`).
	const { createKyselyAdapter } = await import("@better-auth/kysely-adapter");
	const { kysely, databaseType, schemaName } = await createKyselyAdapter(options);
	if (!kysely || !databaseType || databaseType === "mssql") return null;
	return {
		type: databaseType,
		schemaName,
		renamesIdentifiers: !kysely.selectFrom("aTable").compile().sql.includes("aTable"),
		use: (work) =>
			kysely
				.withoutPlugins()
				.connection()
				.execute((connection) =>
					work({
						query: async (sql) => (await connection.executeQuery<Row>(rawQuery(sql))).rows,
					}),
				),
	};
}

/** Cloudflare's D1 has no transactions, and a table cannot be rebuilt safely without one. */
const isD1 = (database: object) => "batch" in database;

/** A dialect opens a connection of its own, which nobody would close. */
export function isDialect({ database }: BetterAuthOptions): boolean {
	return (
		typeof database === "object" &&
		database !== null &&
		("dialect" in database || "createDriver" in database)
	);
}
