import type { AnyAdapter } from "./raw-adapter";

type Work = () => Promise<void>;

const waiting = new WeakMap<AnyAdapter, Work[]>();

/** Starts a list of what waits for the end of an adapter's transaction. */
export function collectForCommit(transaction: AnyAdapter): Work[] {
	const list: Work[] = [];
	waiting.set(transaction, list);
	return list;
}

/**
 * Runs `work` when the transaction of an adapter is committed, and never if it is rolled back. Without a
 * transaction it runs at once. It must not throw: the change itself has succeeded.
 *
 * Better Auth's `queueAfterTransactionHook` knows only transactions that Better Auth has started.
 */
export async function afterCommit(adapter: AnyAdapter, work: Work): Promise<void> {
	const list = waiting.get(adapter);
	if (list) list.push(work);
	else await work();
}
