import type { AuthContext } from "@better-auth/core";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import { noteProviderProblem } from "../../call/context/provider-problem";
import { guarded, type Limits } from "../../call/network/guarded-fetch";

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
				const problem = noteProviderProblem(error);
				logger.error(`A tenant's provider, ${provider.id}, did not say who the user is`, problem);
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
