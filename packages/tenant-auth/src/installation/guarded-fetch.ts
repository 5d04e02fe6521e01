import type { AuthContext } from "@better-auth/core";
import { getAsyncLocalStorage } from "@better-auth/core/async_hooks";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import { fetchFromPublicHost } from "./public-fetch";

interface Limits {
	/** Whether the server may be in a private network. */
	allowPrivate: boolean;
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
async function guarded<T>(limits: Limits, work: () => T): Promise<Awaited<T>> {
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
		return limits
			? fetchWithinLimits(original, limits, input, { ...init, redirect: "manual" })
			: original(input, init);
	};
	globalThis.fetch = Object.assign(guardedFetch, { [GUARD]: guard });
	return guard;
}

/** Guards all requests of a provider. */
export function guardRequests(
	provider: OAuthProvider,
	{ logger }: Pick<AuthContext, "logger">,
	limits: Limits,
): OAuthProvider {
	const { refreshAccessToken, idToken } = provider;
	const within = <T>(work: () => T) => guarded(limits, work);
	return {
		...provider,
		validateAuthorizationCode: (data) => within(() => provider.validateAuthorizationCode(data)),
		// Core handles failed requests for tokens and keys, but not this one.
		getUserInfo: (tokens) =>
			within(() => provider.getUserInfo(tokens)).catch((error: unknown) => {
				logger.error("The user info request to a tenant's provider failed", error);
				return null;
			}),
		...(refreshAccessToken
			? {
					refreshAccessToken: (token, ctx) => within(() => refreshAccessToken(token, ctx)),
				}
			: {}),
		...(idToken ? { idToken: guardKeys(idToken, within) } : {}),
	};
}

/** The keys of ID tokens are fetched too. */
function guardKeys(
	idToken: NonNullable<OAuthProvider["idToken"]>,
	within: <T>(work: () => T) => Promise<Awaited<T>>,
) {
	if (!("jwks" in idToken) || typeof idToken.jwks !== "function") return idToken;
	const { jwks } = idToken;
	return {
		...idToken,
		jwks: (...args: Parameters<typeof jwks>) => within(() => jwks(...args)),
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
	{ allowPrivate }: Limits,
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
		const limited = { ...init, signal };
		const response = allowPrivate
			? await original(input, limited)
			: await fetchFromPublicHost(original, input, limited);
		requireNoRedirect(response);
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

/** A redirect could lead anywhere. `redirect: "error"` would do the same, but Workers do not have it. */
function requireNoRedirect({ status, type }: Response): void {
	if (type !== "opaqueredirect" && (status < 300 || status > 399)) return;
	throw new TypeError("A tenant's provider sent a redirect");
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
