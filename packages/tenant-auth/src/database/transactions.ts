import type { AuthContext, BetterAuthOptions } from "@better-auth/core";
import type { DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { findAppKysely, type KyselyLike, type TransactionBuilder } from "./kysely";
import { isWriteConflict } from "./write-conflicts";

/** Sees each transaction before its first statement, with the Kysely that runs it if that is known. */
export type AtStart = (adapter: DBTransactionAdapter, kysely: KyselyLike | null) => void;

/**
 * Changes how transactions run.
 *
 * - On PostgreSQL they are `read committed`, whatever the server's default is. Our locks are made for it:
 *   at a higher level, a transaction that waited for a lock fails instead of seeing what the other one did.
 * - If a statement loses against another writer, the transaction is over: see {@link endAtConflict}.
 */
export async function prepareTransactions(ctx: AuthContext, atStart: AtStart): Promise<void> {
	const { adapter } = ctx;
	await startTransactions(ctx);
	const { transaction } = adapter;
	adapter.transaction = (work) =>
		transaction((trx) => {
			// Without support for transactions, it is the adapter itself.
			if (trx === adapter) return work(trx);
			atStart(trx, trx.options?.kysely ?? null);
			return endAtConflict(trx, () => work(trx));
		});
}

/**
 * Starts all transactions of the adapter at our level, and puts the Kysely of each into its `options`.
 *
 * Better Auth's adapter shows nobody which Kysely runs a transaction. So the adapter is made once more, by
 * the same code, of a Kysely that tells us. Only its way to run transactions is used. Better Auth reads
 * it from the config of the adapter at the first transaction.
 */
async function startTransactions(ctx: AuthContext): Promise<void> {
	const settings = ctx.adapter.options;
	const app = settings?.adapterConfig.transaction ? await findAppKysely(ctx) : null;
	if (!settings || !app) return;
	const begin = (kysely: KyselyLike): TransactionBuilder => {
		const builder = kysely.transaction();
		return app.type === "postgres" ? builder.setIsolationLevel("read committed") : builder;
	};
	// `better-auth-fast` runs transactions itself.
	if (settings.startTransaction) {
		settings.startTransaction = begin;
		return;
	}
	let started: KyselyLike | null = null;
	const { options } = app.createAdapter({
		transaction: () => ({
			execute: <T>(work: (trx: KyselyLike) => Promise<T>) =>
				begin(app.kysely).execute((trx) => {
					started = trx;
					return work(trx);
				}),
		}),
	})(forTransactions(ctx.options));
	const run = options?.adapterConfig.transaction;
	if (!run) return;
	settings.adapterConfig.transaction = (work) =>
		run((trx) => {
			// Better Auth makes this adapter of that Kysely in the same tick.
			Object.assign(trx, { options: { ...trx.options, kysely: started } });
			return work(trx);
		});
}

/**
 * Better Auth makes a new adapter for each transaction, and reads the schema of all plugins for it. What
 * only migrations need, above all the indexes, takes most of that time.
 */
function forTransactions(options: BetterAuthOptions): BetterAuthOptions {
	const plugins = options.plugins?.map(({ id, schema = {} }) => ({
		id,
		schema: Object.fromEntries(
			Object.entries(schema).map(([model, { fields, modelName }]) => [
				model,
				{ fields, modelName, disableMigration: true },
			]),
		),
	}));
	return { ...options, plugins };
}

/**
 * Runs the work of a transaction that is over as soon as a statement loses against another writer.
 *
 * MySQL rolls back a transaction that lost a deadlock, and runs what follows on the connection outside of
 * any transaction. Code that undoes its own write after an error would then undo the winner's, and code
 * that ignores an error would report a success.
 */
async function endAtConflict<T>(trx: DBTransactionAdapter, work: () => Promise<T>): Promise<T> {
	let lost: { error: unknown } | null = null;
	const methods = Reflect.ownKeys(trx).flatMap((name) => {
		const method: unknown = Reflect.get(trx, name);
		if (typeof method !== "function") return [];
		const guarded = async (...input: unknown[]) => {
			if (lost) throw lost.error;
			try {
				return await method(...input);
			} catch (error) {
				if (isWriteConflict(error)) lost ??= { error };
				throw error;
			}
		};
		return [[name, guarded] as const];
	});
	Object.assign(trx, Object.fromEntries(methods));
	const result = await work();
	if (lost) throw (lost as { error: unknown }).error;
	return result;
}
