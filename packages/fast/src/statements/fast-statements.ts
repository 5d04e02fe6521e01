import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import type { DBAdapter, DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { BetterAuthError } from "@better-auth/core/error";
import { getAdapter } from "better-auth/db/adapter";
import { type Executor, findKysely, type KnownDatabase } from "./kysely";
import { StatementCache } from "./statement-cache";

/** What reads and writes rows. */
type Methods = Omit<DBTransactionAdapter, "id" | "options" | "createSchema">;

/**
 * How transactions start. It is in `adapter.options`: another plugin may replace it, to choose the isolation
 * level for example. The options of a transaction's adapter have its Kysely.
 */
interface TransactionStart {
	startTransaction(db: KnownDatabase["base"]): ReturnType<KnownDatabase["base"]["transaction"]>;
}

const ID = "fast-statements";

/** Databases that return the rows that they write. */
const RETURNING = new Set<unknown>(["sqlite", "postgres"]);

/**
 * Makes Better Auth's usual statements faster, with the same results. It needs a Kysely instance
 * (`database: { db, type }`), and does nothing with any other database. It must be the first plugin.
 *
 * @example
 * ```ts
 * betterAuth({ database: { db, type: "sqlite" }, plugins: [fastStatements(), admin()] });
 * ```
 */
export function fastStatements() {
	return {
		id: ID,
		init(ctx) {
			// A plugin before this one may have changed the adapter, to add a condition to every query for
			// example. Our statements would not have it.
			if (ctx.options.plugins?.[0]?.id !== ID) {
				throw new BetterAuthError(
					"fastStatements() must be the first plugin: other plugins may change the adapter, and their changes must apply to its statements, too.",
				);
			}
			if (!runStatementsDirectly(ctx)) return;
			// Other plugins may read it: a query with a join is one statement.
			return { options: { advanced: { database: { joins: true } } } };
		},
	} satisfies BetterAuthPlugin;
}

/**
 * Lets the app's adapter run the usual statements directly: those with plain conditions on one table, or
 * on one table with another one joined. Each is compiled once. Everything else goes through Better Auth's
 * adapter as before. Returns whether the adapter is known well enough.
 *
 * For each query, Better Auth's adapter builds and compiles a statement and formats log lines that
 * nobody wants. It reads joined rows with a second statement. For each transaction, it builds its schema
 * again. It assumes that Better Auth converts values as `values.ts` does. The adapter is changed in place:
 * Better Auth registers its schema check by the identity of the adapter. `fast-statements.test.ts`
 * compares results with Better Auth's adapter.
 */
export function runStatementsDirectly(ctx: AuthContext): boolean {
	const database = findKysely(ctx);
	if (!database) return false;
	const { adapter } = ctx;
	const { base, db, type, config } = database;
	const canReturn = RETURNING.has(type);
	const statements = new StatementCache(ctx, database);
	const methods = (executor: Executor, other: Methods) =>
		directMethods(statements, executor, other, canReturn);
	Object.assign(adapter, methods(db, { ...adapter }));
	if (!config.transaction || !canReturn) return true;
	const { id, options } = adapter;
	const start = { options: ctx.options, tables: ctx.tables };
	const starts: TransactionStart = { startTransaction: (db) => db.transaction() };
	const settings = Object.assign(options ?? { adapterConfig: config }, starts);
	adapter.transaction = (work) =>
		settings.startTransaction(base).execute((trx) => {
			const other = inTransaction(start, trx);
			return work({ id, options: { ...settings, kysely: trx }, ...methods(trx, other) });
		});
	return true;
}

function directMethods(
	statements: StatementCache,
	executor: Executor,
	other: Methods,
	canReturn: boolean,
): Methods {
	return {
		...other,
		findOne: async <T>(query: Parameters<DBAdapter["findOne"]>[0]) => {
			const statement = statements.find(query) ?? statements.findJoined(query);
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

type Start = Pick<AuthContext, "options" | "tables">;

/** Better Auth's adapter for a transaction. It is created when a query needs it. */
function inTransaction(start: Start, trx: Executor): Methods {
	let created: Promise<Record<string, unknown>> | undefined;
	const create = () => {
		const { options } = start;
		const database = { ...Object(options.database), db: trx, transaction: false };
		const plugins = withTablesOfStart(start);
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
function withTablesOfStart({ options: { plugins = [] }, tables }: Start): BetterAuthPlugin[] {
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
