import type { AuthContext, BetterAuthOptions } from "@better-auth/core";
import type { DBAdapter } from "@better-auth/core/db/adapter";

// The part of Kysely that is used. It is a dependency of Better Auth, not of this package.

export interface KyselyLike {
	transaction(): TransactionBuilder;
	selectNoFrom(select: (build: ExpressionBuilder) => object[]): SelectBuilder;
	selectFrom(table: string): SelectBuilder;
}

export interface TransactionBuilder {
	setIsolationLevel(level: "read committed"): TransactionBuilder;
	execute<T>(work: (trx: KyselyLike) => Promise<T>): Promise<T>;
}

interface SelectBuilder {
	select(columns: readonly string[] | ((build: ExpressionBuilder) => object[])): SelectBuilder;
	where(column: string, operator: "=", value: unknown): SelectBuilder;
	forShare(): SelectBuilder;
	modifyEnd(modifier: object): SelectBuilder;
	executeTakeFirst(): Promise<Record<string, unknown> | undefined>;
}

interface ExpressionBuilder {
	fn(name: string, input: object[]): { as(name: string): object };
	val(value: unknown): object;
}

/** What `sql` of Kysely returns for a text without values. */
export const rawSql = (text: string) => ({
	toOperationNode: () => ({ kind: "RawNode", sqlFragments: [text], parameters: [] }),
});

interface AppKysely {
	type: "postgres" | "mysql" | "sqlite";
	kysely: KyselyLike;
	/** Better Auth's adapter for another instance. */
	createAdapter(kysely: object): (options: BetterAuthOptions) => DBAdapter;
}

/**
 * The Kysely of Better Auth's adapter, or another one with the same connections. `null` for other adapters,
 * for a dialect, which would open connections of its own, and for a SQLite database without a Kysely: two
 * of them would not wait for each other on its only connection.
 */
export async function findAppKysely({ adapter, options }: AuthContext): Promise<AppKysely | null> {
	const { database } = options;
	const type: unknown = adapter.options?.type;
	if (adapter.id !== "kysely" || typeof database !== "object") return null;
	if (type !== "postgres" && type !== "mysql" && type !== "sqlite") return null;
	if ("dialect" in database || "createDriver" in database) return null;
	if (type === "sqlite" && !("db" in database)) return null;
	// Imported late: the plugin also runs in bundles without Kysely (`better-auth/minimal`).
	const { createKyselyAdapter, kyselyAdapter } = await import("@better-auth/kysely-adapter");
	const { kysely } = await createKyselyAdapter(options);
	if (!kysely || kysely.isTransaction) return null;
	const debugLogs = adapter.options?.debugLogs;
	return {
		type,
		kysely: kysely as unknown as KyselyLike,
		createAdapter: (other) => kyselyAdapter(other as never, { type, debugLogs, transaction: true }),
	};
}
