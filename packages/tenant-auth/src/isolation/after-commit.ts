type Work = () => Promise<void>;

/** By the adapter of a transaction. */
const waiting = new WeakMap<object, Work[]>();

/** Starts a list of what waits for the end of a transaction. Several adapters may be made of it. */
export function collectForCommit(...adapters: object[]): Work[] {
	const list: Work[] = [];
	for (const adapter of adapters) waiting.set(adapter, list);
	return list;
}

/**
 * Runs `work` when the transaction of an adapter is committed, and never if it is rolled back. Without a
 * transaction it runs at once. It must not throw: the change itself has succeeded.
 *
 * Better Auth's `queueAfterTransactionHook` knows only transactions that Better Auth has started.
 */
export async function afterCommit(adapter: object, work: Work): Promise<void> {
	const list = waiting.get(adapter);
	if (list) list.push(work);
	else await work();
}
