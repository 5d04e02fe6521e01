import { getCurrentDBAdapterAsyncLocalStorage, runWithAdapter } from "@better-auth/core/context";
import type { DBAdapter, DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { retryConflicts } from "./write-conflicts";

type Writes = Pick<DBTransactionAdapter, "delete" | "deleteMany" | "updateMany">;

/** The adapter of the running transaction, if there is one. */
export async function findTransaction(): Promise<DBTransactionAdapter | null> {
	const running = (await getCurrentDBAdapterAsyncLocalStorage()).getStore();
	return running?.isTransactionActive ? running.adapter : null;
}

const deferring = new WeakSet<object>();

/** Whether the transaction of an adapter runs its deletions at the end. */
export const defersWrites = (adapter: object | null) => adapter !== null && deferring.has(adapter);

export function noteDeferredWrites(adapter: object): void {
	deferring.add(adapter);
}

/**
 * An adapter whose transaction defers writes to its end. Hooks of the app run before: a hook that used
 * a connection of its own would wait for the transaction, on SQLite forever.
 *
 * @param defer methods that add a write to the list and do not run it
 * @param finish returns the transaction that runs the list; `null` if there is nothing to do
 */
export function withDeferredWrites<Write>(
	adapter: DBAdapter,
	defer: (writes: Write[]) => Partial<Writes>,
	finish: (writes: Write[]) => ((database: DBTransactionAdapter) => Promise<void>) | null,
): DBAdapter {
	return {
		...adapter,
		transaction: async (work) => {
			const writes: Write[] = [];
			const failures: unknown[] = [];
			const collecting: DBTransactionAdapter = {
				...adapter,
				// Core takes a read that fails for rows that do not exist, and would call no hook.
				findMany: <T>(query: Parameters<DBAdapter["findMany"]>[0]) =>
					adapter.findMany<T>(query).catch((error) => {
						failures.push(error);
						throw error;
					}),
				...defer(writes),
			};
			noteDeferredWrites(collecting);
			const result = await work(collecting);
			if (failures.length > 0) throw failures[0];
			const transaction = finish(writes);
			if (transaction) await retryConflicts(() => adapter.transaction(transaction));
			return result;
		},
	};
}

/** Runs `work` so that everything in it uses the transaction. */
export const withTransaction = (database: DBTransactionAdapter, work: () => Promise<void>) =>
	runWithAdapter(database as DBAdapter, work);
