import { getCurrentDBAdapterAsyncLocalStorage } from "@better-auth/core/context";
import type { DBTransactionAdapter } from "@better-auth/core/db/adapter";

let storage: Awaited<ReturnType<typeof getCurrentDBAdapterAsyncLocalStorage>> | undefined;

/** Must be awaited before the first request. */
export async function openAdapterStorage(): Promise<void> {
	storage = await getCurrentDBAdapterAsyncLocalStorage();
}

/**
 * The adapter of the running transaction, or else `adapter`: another connection would wait for the
 * transaction. As Better Auth's `getCurrentAdapter`, but without waiting for anything.
 */
export function currentAdapter(adapter: DBTransactionAdapter): DBTransactionAdapter {
	return storage?.getStore()?.adapter ?? adapter;
}
