import { getAsyncLocalStorage } from "@better-auth/core/async_hooks";
import type { OAuthProvider } from "@better-auth/core/oauth2";

type Guard = { run: <T>(store: true, work: () => T) => T; getStore: () => true | undefined };

let guard: Guard | undefined;
let guarded: typeof fetch | undefined;

/**
 * Runs `work` with a `fetch` that follows no redirect.
 *
 * A tenant's administrator chooses where his identity provider stands, and its address is checked.
 * A redirect from there could lead the server anywhere, into the private network too. Core's
 * providers take the global `fetch` when they call, and leave no other way to tell them: so it is
 * replaced by one that behaves differently inside of `work` only.
 */
async function withoutRedirects<T>(work: () => T): Promise<Awaited<T>> {
	guard ??= new (await getAsyncLocalStorage())() as Guard;
	const running = guard;
	if (globalThis.fetch !== guarded) {
		const original = globalThis.fetch;
		guarded = (input, init) =>
			original(input, running.getStore() ? { ...init, redirect: "error" } : init);
		globalThis.fetch = guarded;
	}
	return await running.run(true, work);
}

/** The provider with all its requests kept from being redirected. */
export function guardRequests(provider: OAuthProvider): OAuthProvider {
	const { refreshAccessToken, idToken } = provider;
	return {
		...provider,
		validateAuthorizationCode: (data) =>
			withoutRedirects(() => provider.validateAuthorizationCode(data)),
		getUserInfo: (tokens) => withoutRedirects(() => provider.getUserInfo(tokens)),
		...(refreshAccessToken
			? {
					refreshAccessToken: (token, ctx) =>
						withoutRedirects(() => refreshAccessToken(token, ctx)),
				}
			: {}),
		...(idToken ? { idToken: guardKeys(idToken) } : {}),
	};
}

/** The keys that an ID token is checked with are fetched too. */
function guardKeys(idToken: NonNullable<OAuthProvider["idToken"]>) {
	if (!("jwks" in idToken) || typeof idToken.jwks !== "function") return idToken;
	const { jwks } = idToken;
	return {
		...idToken,
		jwks: (...args: Parameters<typeof jwks>) => withoutRedirects(() => jwks(...args)),
	};
}
