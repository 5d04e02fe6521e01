import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import type { DBAdapter, DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { getAdapter } from "better-auth/db/adapter";
import { type Executor, findKysely, type KnownDatabase, noteExecutor } from "../database/kysely";
import { StatementCache } from "../database/statement-cache";

type Methods = Omit<DBTransactionAdapter, "id" | "options" | "createSchema">;

/** Databases whose statements are known. SQL Server limits rows in another way. */
const KNOWN = new Set<unknown>(["sqlite", "postgres", "mysql"]);

/** Databases that return the rows that they write. */
const RETURNING = new Set<unknown>(["sqlite", "postgres"]);

/**
 * Lets the app's adapter run the usual statements directly: those with plain conditions on one table.
 * Each is compiled once. Everything else goes through Better Auth's adapter as before.
 *
 * For each query, Better Auth's adapter builds and compiles a statement and formats log lines that
 * nobody wants. For each transaction, it builds its schema again. That is most of the cost of a sign-up.
 * It assumes that Better Auth converts values as `values.ts` does. The adapter is changed in
 * place, as in `database.ts`. `direct-adapter.test.ts` compares results with Better Auth's adapter.
 */
export function runStatementsDirectly(ctx: AuthContext): void {
	const database = findKysely(ctx);
	if (!database || !KNOWN.has(database.type) || !isPlain(database)) return;
	const { adapter } = ctx;
	const { base, db, type, config } = database;
	const canReturn = RETURNING.has(type);
	const statements = new StatementCache(ctx, database);
	const methods = (executor: Executor, other: Methods) =>
		directMethods(statements, executor, other, canReturn);
	Object.assign(adapter, methods(db, { ...adapter }));
	noteExecutor(adapter, db);
	if (!config.transaction || !canReturn) return;
	const { id, options } = adapter;
	adapter.transaction = (work) =>
		base.transaction().execute((trx) => {
			const own = { id, ...(options ? { options } : {}), ...methods(trx, inTransaction(ctx, trx)) };
			noteExecutor(own, trx);
			return work(own);
		});
}

const isPlain = ({ config }: KnownDatabase) =>
	!config.customTransformInput &&
	!config.mapKeysTransformInput &&
	!config.disableTransformInput &&
	!config.disableTransformOutput &&
	!config.debugLogs;

function directMethods(
	statements: StatementCache,
	executor: Executor,
	other: Methods,
	canReturn: boolean,
): Methods {
	return {
		...other,
		findOne: async <T>(query: Parameters<DBAdapter["findOne"]>[0]) => {
			const statement = statements.find(query);
			if (!statement) return other.findOne<T>(query);
			return ((await statement.rows("findOne", executor))[0] as T | undefined) ?? null;
		},
		findMany: async <T>(query: Parameters<DBAdapter["findMany"]>[0]) => {
			const statement = statements.findMany(query);
			if (!statement) return other.findMany<T>(query);
			return (await statement.rows("findMany", executor)) as T[];
		},
		create: async <T extends Record<string, unknown>, R = T>(
			query: Parameters<DBAdapter["create"]>[0] & { data: Omit<T, "id"> },
		) => {
			const statement = canReturn ? await statements.create(query) : null;
			if (!statement) return other.create<T, R>(query);
			return (await statement.rows("create", executor))[0] as R;
		},
		update: async <T>(query: Parameters<DBAdapter["update"]>[0]) => {
			const statement = canReturn ? await statements.update(query, true) : null;
			if (!statement) return other.update<T>(query);
			return ((await statement.rows("update", executor))[0] as T | undefined) ?? null;
		},
		updateMany: async (query) => {
			const statement = await statements.update(query, false);
			return statement ? statement.affected("updateMany", executor) : other.updateMany(query);
		},
		delete: async (query) => {
			const statement = statements.delete(query);
			if (statement) await statement.affected("delete", executor);
			else await other.delete(query);
		},
		deleteMany: async (query) => {
			const statement = statements.delete(query);
			return statement ? statement.affected("deleteMany", executor) : other.deleteMany(query);
		},
	};
}

const METHODS = [
	"create",
	"findOne",
	"findMany",
	"count",
	"update",
	"updateMany",
	"delete",
	"deleteMany",
	"consumeOne",
	"incrementOne",
] as const satisfies (keyof Methods)[];

/** Better Auth's adapter for a transaction. It is created when a query needs it. */
function inTransaction(ctx: AuthContext, trx: Executor): Methods {
	let created: Promise<Record<string, unknown>> | undefined;
	const create = () => {
		const { options } = ctx;
		const database = { ...Object(options.database), db: trx, transaction: false };
		const plugins = withTablesOfStart(ctx);
		created ??= getAdapter({ ...options, plugins, database }).then((adapter) => ({ ...adapter }));
		return created;
	};
	const through = METHODS.map((name) => [
		name,
		async (query: object) => ((await create())[name] as (query: object) => Promise<unknown>)(query),
	]);
	return Object.fromEntries(through) as Methods;
}

/**
 * A plugin writes the names of its tables into a schema that all of its instances share. So another
 * Better Auth in this process may have changed them since the start.
 */
function withTablesOfStart({ options: { plugins = [] }, tables }: AuthContext): BetterAuthPlugin[] {
	const named = (model: string, table: object) => ({
		...table,
		modelName: tables[model]?.modelName,
	});
	return plugins.map((plugin) => {
		if (!plugin.schema) return plugin;
		const schema = Object.entries(plugin.schema).map(([model, table]) => [
			model,
			named(model, table),
		]);
		return { ...plugin, schema: Object.fromEntries(schema) };
	});
}
