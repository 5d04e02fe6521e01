import type { AuthContext } from "@better-auth/core";
import { getAsyncLocalStorage } from "@better-auth/core/async_hooks";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import { fetchWithinLimits } from "./limited-fetch";

type Guard = { run: <T>(store: true, work: () => T) => T; getStore: () => true | undefined };
type GuardedFetch = typeof fetch & { [GUARD]?: Guard };

/** Of the whole process: another copy of this package finds the guard of the first. */
const GUARD = Symbol.for("better-auth-tenant:guarded-fetch");

/**
 * Runs `work` with a `fetch` that follows no redirect and has limits of time and size.
 *
 * A tenant's administrator chooses where his identity provider stands, and its address is checked.
 * A redirect from there could lead the server anywhere, into the private network too. Core's
 * providers take the global `fetch` when they call, and leave no other way to tell them: so it is
 * replaced by one that behaves differently inside of `work` only.
 */
async function guarded<T>(work: () => T): Promise<Awaited<T>> {
	const guard = (globalThis.fetch as GuardedFetch)[GUARD] ?? (await installGuard());
	return await guard.run(true, work);
}

async function installGuard(): Promise<Guard> {
	const guard = new (await getAsyncLocalStorage())() as Guard;
	const original = globalThis.fetch;
	const guardedFetch: typeof fetch = (input, init) =>
		guard.getStore()
			? fetchWithinLimits(original, input, { ...init, redirect: "error" })
			: original(input, init);
	globalThis.fetch = Object.assign(guardedFetch, { [GUARD]: guard });
	return guard;
}

/** The provider with all its requests guarded. */
export function guardRequests(
	provider: OAuthProvider,
	{ logger }: Pick<AuthContext, "logger">,
): OAuthProvider {
	const { refreshAccessToken, idToken } = provider;
	return {
		...provider,
		validateAuthorizationCode: (data) => guarded(() => provider.validateAuthorizationCode(data)),
		// Core expects requests for tokens and keys to fail, but not this one.
		getUserInfo: (tokens) =>
			guarded(() => provider.getUserInfo(tokens)).catch((error: unknown) => {
				logger.error("A tenant's provider does not tell who the user is", error);
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

/** The keys that an ID token is checked with are fetched too. */
function guardKeys(idToken: NonNullable<OAuthProvider["idToken"]>) {
	if (!("jwks" in idToken) || typeof idToken.jwks !== "function") return idToken;
	const { jwks } = idToken;
	return {
		...idToken,
		jwks: (...args: Parameters<typeof jwks>) => guarded(() => jwks(...args)),
	};
}
