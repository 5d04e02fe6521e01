import { getAsyncLocalStorage } from "@better-auth/core/async_hooks";
import { fetchFromPublicHost } from "./public-fetch";

export interface Limits {
	/** Whether the server may be in a private network. */
	allowPrivate: boolean;
	/**
	 * The largest response, in bytes, uncompressed.
	 *
	 * @default 1 MiB
	 */
	maxBytes?: number;
	/** Gets every response before the caller does, and returns what the caller gets. */
	inspect?: (response: Response) => Promise<Response>;
	/** A redirect is a response too. It is not followed. */
	returnsRedirects?: true;
}
type Guard = { run: <T>(store: Limits, work: () => T) => T; getStore: () => Limits | undefined };
interface Guarded {
	[GUARD]?: Guard;
}

/** For the whole process: another copy of this package finds the guard of the first. */
const GUARD = Symbol.for("better-auth-tenant:guarded-fetch");

/**
 * Runs `work` with a `fetch` that connects to public addresses only, follows no redirect, and has limits
 * of time and size.
 *
 * A tenant's admin chooses the identity provider, and its URL is checked. Its name, or a redirect from
 * there, could lead the server anywhere, also into its private network. Better Auth's providers use the global
 * `fetch` and have no option for another one. So it is replaced once, on first use, by one that behaves
 * differently only inside of `work`.
 */
export async function guarded<T>(limits: Limits, work: () => T): Promise<Awaited<T>> {
	const guard = guardOf(globalThis.fetch) ?? (await installGuard());
	return await guard.run(limits, work);
}

const guardOf = (it: object): Guard | undefined => {
	const guarded: Guarded = it;
	return guarded[GUARD];
};

async function installGuard(): Promise<Guard> {
	const guard: Guard = new (await getAsyncLocalStorage())<Limits>();
	const original = globalThis.fetch;
	const guardedFetch: typeof fetch = (input, init) => {
		const limits = guard.getStore();
		if (!limits) return original(input, init);
		const response = fetchWithinLimits(original, limits, input, { ...init, redirect: "manual" });
		return limits.inspect ? response.then(limits.inspect) : response;
	};
	globalThis.fetch = Object.assign(guardedFetch, { [GUARD]: guard });
	return guard;
}

/** In milliseconds, from the request to the end of the response. */
const TIME_LIMIT = 10_000;
const SIZE_LIMIT = 1024 * 1024;

/**
 * A `fetch` with limits. A tenant's admin may run the server that responds. A response that never ends,
 * or never starts, would hold our connections and memory.
 */
async function fetchWithinLimits(
	original: typeof fetch,
	{ allowPrivate, maxBytes = SIZE_LIMIT, returnsRedirects }: Limits,
	input: Parameters<typeof fetch>[0],
	init: RequestInit,
): Promise<Response> {
	const limit = new AbortController();
	// Not `AbortSignal.timeout`: Node 20 may garbage-collect it inside of `AbortSignal.any`.
	const timer = setTimeout(
		() => limit.abort(new Error(`No complete response within ${TIME_LIMIT} ms`)),
		TIME_LIMIT,
	);
	const done = () => clearTimeout(timer);
	const callers = init.signal ?? (input instanceof Request ? input.signal : null);
	const signal = callers ? AbortSignal.any([limit.signal, callers]) : limit.signal;
	callers?.addEventListener("abort", done, { once: true });
	try {
		const limited = { ...init, signal };
		const response = allowPrivate
			? await original(input, limited)
			: await fetchFromPublicHost(original, input, limited);
		if (!returnsRedirects) requireNoRedirect(response);
		if (Number(response.headers.get("content-length")) > maxBytes) throw tooLarge(maxBytes);
		const body = response.body?.pipeThrough(countBytes(maxBytes, done), { signal }) ?? null;
		if (!body) done();
		return new Response(body, response);
	} catch (error) {
		done();
		limit.abort(error);
		throw error;
	}
}

/** A redirect could lead anywhere. `redirect: "error"` would do the same, but Workers do not have it. */
function requireNoRedirect({ status, type }: Response): void {
	if (type !== "opaqueredirect" && (status < 300 || status > 399)) return;
	throw new TypeError("The server sent a redirect");
}

/** Fails above the size limit. Calls `done` then, or at the end of the body. */
function countBytes(maxBytes: number, done: () => void): TransformStream<Uint8Array, Uint8Array> {
	let size = 0;
	return new TransformStream({
		transform(chunk, controller) {
			size += chunk.byteLength;
			if (size <= maxBytes) return controller.enqueue(chunk);
			done();
			controller.error(tooLarge(maxBytes));
		},
		flush: done,
	});
}

const tooLarge = (maxBytes: number) => new Error(`A response of more than ${maxBytes} bytes`);
