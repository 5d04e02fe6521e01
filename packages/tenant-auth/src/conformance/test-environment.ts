import type { AuthContext } from "@better-auth/core";
import { getAsyncLocalStorage } from "@better-auth/core/async_hooks";

type Run = <T>(work: () => Promise<T>) => Promise<T>;
type Flag = { run: <T>(value: true, work: () => T) => T; getStore: () => unknown };

/**
 * Makes a change when the first run starts and reverts it when the last one ends. Runs may overlap,
 * and a run may continue after its test has timed out.
 */
function sharedChange(apply: () => () => void): Run {
	let runs = 0;
	let revert = () => {};
	return async (work) => {
		if (runs === 0) revert = apply();
		runs += 1;
		try {
			return await work();
		} finally {
			runs -= 1;
			if (runs === 0) revert();
		}
	};
}

let blocked: Flag | undefined;

/** Replaces `fetch` by one that rejects inside {@link withoutNetwork} and nowhere else. */
const withBlockableFetch = sharedChange(() => {
	const original = globalThis.fetch;
	const blockable: typeof fetch = (input, init) =>
		blocked?.getStore()
			? Promise.reject(new TypeError("checkTenantIsolation: no network"))
			: original(input, init);
	globalThis.fetch = blockable;
	return () => {
		// If other code has wrapped it in the meantime, it stays below that wrapper and passes calls on.
		if (globalThis.fetch === blockable) globalThis.fetch = original;
	};
});

/** Runs `work` with a `fetch` that rejects. Code outside `work` keeps its network. */
export async function withoutNetwork<T>(work: () => Promise<T>): Promise<T> {
	const AsyncLocalStorage = await getAsyncLocalStorage();
	const flag: Flag = blocked ?? new AsyncLocalStorage();
	blocked = flag;
	return withBlockableFetch(() => flag.run(true, work));
}

const rateLimits = new WeakMap<AuthContext["rateLimit"], Run>();

/** Runs `work` with the rate limits of this instance switched off. */
export function withoutRateLimits<T>(ctx: AuthContext, work: () => Promise<T>): Promise<T> {
	const { rateLimit } = ctx;
	const run =
		rateLimits.get(rateLimit) ??
		sharedChange(() => {
			const { enabled } = rateLimit;
			rateLimit.enabled = false;
			return () => {
				rateLimit.enabled = enabled;
			};
		});
	rateLimits.set(rateLimit, run);
	return run(work);
}
