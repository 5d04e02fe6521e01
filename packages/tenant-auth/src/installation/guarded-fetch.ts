import type { AuthContext } from "@better-auth/core";
import { getAsyncLocalStorage } from "@better-auth/core/async_hooks";
import type { OAuthProvider } from "@better-auth/core/oauth2";

type Guard = { run: <T>(store: true, work: () => T) => T; getStore: () => true | undefined };
interface Guarded {
	[GUARD]?: Guard;
}

/** For the whole process: another copy of this package finds the guard of the first. */
const GUARD = Symbol.for("better-auth-tenant:guarded-fetch");

/**
 * Runs `work` with a `fetch` that follows no redirect and has limits of time and size.
 *
 * A tenant's admin chooses the identity provider, and its URL is checked. A redirect from there could
 * lead the server anywhere, also into its private network. Better Auth's providers use the global
 * `fetch` and have no option for another one. So it is replaced once, on first use, by one that behaves
 * differently only inside of `work`.
 */
async function guarded<T>(work: () => T): Promise<Awaited<T>> {
	const guard = guardOf(globalThis.fetch) ?? (await installGuard());
	return await guard.run(true, work);
}

const guardOf = (it: object): Guard | undefined => {
	const guarded: Guarded = it;
	return guarded[GUARD];
};

async function installGuard(): Promise<Guard> {
	const guard: Guard = new (await getAsyncLocalStorage())<true>();
	const original = globalThis.fetch;
	const guardedFetch: typeof fetch = (input, init) =>
		guard.getStore()
			? fetchWithinLimits(original, input, { ...init, redirect: "error" })
			: original(input, init);
	globalThis.fetch = Object.assign(guardedFetch, { [GUARD]: guard });
	return guard;
}

/** Guards all requests of a provider. */
export function guardRequests(
	provider: OAuthProvider,
	{ logger }: Pick<AuthContext, "logger">,
): OAuthProvider {
	const { refreshAccessToken, idToken } = provider;
	return {
		...provider,
		validateAuthorizationCode: (data) => guarded(() => provider.validateAuthorizationCode(data)),
		// Core handles failed requests for tokens and keys, but not this one.
		getUserInfo: (tokens) =>
			guarded(() => provider.getUserInfo(tokens)).catch((error: unknown) => {
				logger.error("The user info request to a tenant's provider failed", error);
				return null;
			}),
		...(refreshAccessToken
			? {
					refreshAccessToken: (token, ctx) => guarded(() => refreshAccessToken(token, ctx)),
				}
			: {}),
		...(idToken ? { idToken: guardKeys(idToken) } : {}),
	};
}

/** The keys of ID tokens are fetched too. */
function guardKeys(idToken: NonNullable<OAuthProvider["idToken"]>) {
	if (!("jwks" in idToken) || typeof idToken.jwks !== "function") return idToken;
	const { jwks } = idToken;
	return {
		...idToken,
		jwks: (...args: Parameters<typeof jwks>) => guarded(() => jwks(...args)),
	};
}

/** In milliseconds, from the request to the end of the response. */
const TIME_LIMIT = 10_000;
/** In bytes, uncompressed. */
const SIZE_LIMIT = 1024 * 1024;

/**
 * A `fetch` with limits. A tenant's admin may run the server that responds. A response that never ends,
 * or never starts, would hold our connections and memory.
 */
async function fetchWithinLimits(
	original: typeof fetch,
	input: Parameters<typeof fetch>[0],
	init: RequestInit,
): Promise<Response> {
	const limit = new AbortController();
	// Not `AbortSignal.timeout`: Node 20 may garbage-collect it inside of `AbortSignal.any`.
	const timer = setTimeout(
		() => limit.abort(new Error(`No complete answer within ${TIME_LIMIT} ms`)),
		TIME_LIMIT,
	);
	const done = () => clearTimeout(timer);
	const callers = init.signal ?? (input instanceof Request ? input.signal : null);
	const signal = callers ? AbortSignal.any([limit.signal, callers]) : limit.signal;
	try {
		const response = await original(input, { ...init, signal });
		if (Number(response.headers.get("content-length")) > SIZE_LIMIT) throw tooLarge();
		const body = response.body?.pipeThrough(countBytes(done), { signal }) ?? null;
		if (!body) done();
		return new Response(body, response);
	} catch (error) {
		done();
		limit.abort(error);
		throw error;
	}
}

/** Fails above the size limit. Calls `done` then, or at the end of the body. */
function countBytes(done: () => void): TransformStream<Uint8Array, Uint8Array> {
	let size = 0;
	return new TransformStream({
		transform(chunk, controller) {
			size += chunk.byteLength;
			if (size <= SIZE_LIMIT) return controller.enqueue(chunk);
			done();
			controller.error(tooLarge());
		},
		flush: done,
	});
}

const tooLarge = () => new Error(`An answer of more than ${SIZE_LIMIT} bytes`);
