import { getAsyncLocalStorage } from "@better-auth/core/async_hooks";
import { BetterAuthError } from "@better-auth/core/error";

interface AsyncContext {
	getStore(): unknown;
	run<T>(store: unknown, work: () => T): T;
}

/**
 * On `globalThis`, so that all copies of this package in a process share it. Bundlers and hot reload
 * create such copies. With one storage per copy, `runInTenant` of the one would mean the platform to
 * the other.
 */
const KEY = Symbol.for("better-auth-tenant:async-context");
const registry = globalThis as { [KEY]?: AsyncContext };

/** Opens the storage. Must be awaited before the first request. */
export async function openAsyncContext(): Promise<AsyncContext> {
	const storage = registry[KEY] ?? (await createAsyncContext());
	registry[KEY] ??= storage;
	return registry[KEY];
}

const NO_CONTEXT =
	"tenantAuth: this runtime has no working AsyncLocalStorage, so requests of different tenants cannot be kept apart. Use Node.js, Bun, Deno, or Cloudflare Workers with nodejs_compat.";

async function createAsyncContext(): Promise<AsyncContext> {
	const Storage = await getAsyncLocalStorage().catch((cause: unknown) => {
		throw new BetterAuthError(NO_CONTEXT, { cause });
	});
	const storage = new Storage<unknown>();
	await requireWorkingContext(storage);
	return storage;
}

/** The storage, if it is open. */
export const asyncContext = (): AsyncContext | undefined => registry[KEY];

/**
 * Proves that two interleaved runs do not see each other.
 *
 * For runtimes without `AsyncLocalStorage`, Better Auth falls back to one global variable. There a
 * request would see the tenant of another one that runs at the same time.
 *
 * @throws BetterAuthError where it is so
 */
export async function requireWorkingContext(storage: AsyncContext): Promise<void> {
	const keepsItsStore = (store: object) =>
		storage.run(store, async () => {
			await Promise.resolve();
			return storage.getStore() === store;
		});
	const kept = await Promise.all([keepsItsStore({}), keepsItsStore({}), keepsItsStore({})]);
	if (kept.every(Boolean)) return;
	throw new BetterAuthError(NO_CONTEXT);
}
