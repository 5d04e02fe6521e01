import { runWithAdapter } from "@better-auth/core/context";
import type { DBAdapter, DBTransactionAdapter } from "@better-auth/core/db/adapter";

type Writes = Pick<DBTransactionAdapter, "delete" | "deleteMany" | "updateMany">;

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
			const result = await work({
				...adapter,
				// Core takes a read that fails for rows that do not exist, and would call no hook.
				findMany: <T>(query: Parameters<DBAdapter["findMany"]>[0]) =>
					adapter.findMany<T>(query).catch((error) => {
						failures.push(error);
						throw error;
					}),
				...defer(writes),
			});
			if (failures.length > 0) throw failures[0];
			const transaction = finish(writes);
			if (transaction) await adapter.transaction(transaction);
			return result;
		},
	};
}

/** Runs `work` so that everything in it uses the transaction. */
export const withTransaction = (database: DBTransactionAdapter, work: () => Promise<void>) =>
	runWithAdapter(database as DBAdapter, work);
