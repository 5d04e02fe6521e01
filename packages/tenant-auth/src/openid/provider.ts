import {
	createAuthorizationURL,
	type OAuth2Tokens,
	type OAuthProvider,
	refreshAccessToken,
	validateAuthorizationCode,
} from "@better-auth/core/oauth2";
import type { Limits } from "../network/guarded-fetch";
import { type ClaimMapping, findRole, isComplete, mergeClaims, toUserInfo } from "./claims";
import { type Claims, limitReloads, loadKeys, requireSubject, verifyIdToken } from "./id-token";
import {
	type ClientAuthentication,
	loadMetadata,
	type ProviderMetadata,
	ProviderProblem,
} from "./provider-metadata";
import { keptFor, readJson } from "./read-json";

/** A client at an OpenID Connect provider. */
export interface OpenIdClient {
	id: string;
	name: string;
	issuer: string;
	clientId: string;
	/** A public client has none. */
	clientSecret: string | null;
	clientAuthentication: ClientAuthentication | undefined;
	scopes: readonly string[];
	redirectURI: string | null;
	prompt: Prompt | undefined;
	mapping: ClaimMapping;
}

type Prompt = Parameters<typeof createAuthorizationURL>[0]["prompt"];
type Profile = Claims & { sub: string };

export interface OpenIdProvider {
	provider: OAuthProvider;
	/** @throws ProviderProblem */
	metadata: () => Promise<ProviderMetadata>;
}

/** A change of the document counts after this time at the latest. */
const METADATA_LIFETIME = 10 * 60 * 1000;

/**
 * A provider for Better Auth's social sign-in, from a discovery document. Better Auth makes state, PKCE
 * verifier and nonce, compares `iss` of the answer, and stores the account.
 *
 * It takes no ID tokens from clients (`idToken` is missing): such a token has no nonce of ours.
 *
 * @param onRole gets the tenant role of the user who signs in
 */
export function openIdProvider(
	client: OpenIdClient,
	limits: Limits,
	onRole: (role: string) => void,
): OpenIdProvider {
	const metadata = keptFor(METADATA_LIFETIME, () => loadMetadata(client.issuer, limits));
	const keys = limitReloads(async () => loadKeys((await metadata()).jwksUri, limits));
	const options = {
		clientId: client.clientId,
		...(client.clientSecret === null ? {} : { clientSecret: client.clientSecret }),
		...(client.redirectURI === null ? {} : { redirectURI: client.redirectURI }),
	};

	async function readUserInfo(accessToken: string | undefined): Promise<Profile | null> {
		const { userInfoEndpoint } = await metadata();
		if (!userInfoEndpoint || !accessToken) return null;
		const authorization = `Bearer ${accessToken}`;
		const found = await readJson(userInfoEndpoint, limits, { authorization });
		const claims: Claims = { ...(found as object) };
		return { ...claims, sub: requireSubject(claims) };
	}

	async function readProfile(tokens: OAuth2Tokens, nonce: string | undefined) {
		// Only /account-info comes without a nonce. The stored ID token has expired, and signs nobody in.
		if (nonce === undefined) return readUserInfo(tokens.accessToken);
		if (!tokens.idToken) throw new Error("The provider sent no ID token");
		const { issuer, clientId, mapping } = client;
		const claims = await verifyIdToken(tokens.idToken, { issuer, clientId, nonce, keys });
		const sub = requireSubject(claims);
		const more = isComplete(claims, mapping) ? null : await readUserInfo(tokens.accessToken);
		// OpenID Connect Core, section 5.3.2: otherwise the answer may be about somebody else.
		if (more && more.sub !== sub) throw new Error("The user info is about another user");
		const profile = { ...mergeClaims(claims, more, mapping), sub };
		const role = findRole(profile, mapping);
		if (role !== null) onRole(role);
		return profile;
	}

	const provider: OAuthProvider<Profile> = {
		id: client.id,
		name: client.name,
		issuer: client.issuer,
		requiresIdTokenNonce: true,
		accountSubject: ({ profile }) => profile.sub,

		async createAuthorizationURL(data) {
			const { authorizationEndpoint, scopes } = await metadata();
			return createAuthorizationURL({
				id: client.id,
				options,
				authorizationEndpoint,
				state: data.state,
				codeVerifier: data.codeVerifier,
				nonce: data.idTokenNonce,
				scopes: [...new Set([...scopes, ...client.scopes, ...(data.scopes ?? [])])],
				redirectURI: data.redirectURI,
				prompt: client.prompt,
				loginHint: data.loginHint,
				additionalParams: data.additionalParams,
			});
		},

		async validateAuthorizationCode({ code, codeVerifier, redirectURI }) {
			const { tokenEndpoint, ...found } = await metadata();
			return validateAuthorizationCode({
				code,
				codeVerifier,
				redirectURI,
				options,
				tokenEndpoint,
				tokenEndpointAuth: authenticationOf(client, found),
			});
		},

		async getUserInfo({ expectedIdTokenNonce, ...tokens }) {
			const profile = await readProfile(tokens, expectedIdTokenNonce);
			return profile && { user: toUserInfo(profile, client.mapping), data: profile };
		},

		async refreshAccessToken(refreshToken) {
			const { tokenEndpoint, ...found } = await metadata();
			const tokenEndpointAuth = authenticationOf(client, found);
			return refreshAccessToken({ refreshToken, options, tokenEndpoint, tokenEndpointAuth });
		},

		/** @see https://openid.net/specs/openid-connect-rpinitiated-1_0.html#RPLogout */
		async createEndSessionURL({ idToken, postLogoutRedirectURI, state }) {
			const { endSessionEndpoint } = await metadata();
			if (!endSessionEndpoint) return null;
			const url = new URL(endSessionEndpoint);
			url.searchParams.set("client_id", client.clientId);
			if (idToken) url.searchParams.set("id_token_hint", idToken);
			if (!postLogoutRedirectURI) return url;
			url.searchParams.set("post_logout_redirect_uri", postLogoutRedirectURI);
			if (state) url.searchParams.set("state", state);
			return url;
		},
	};
	return { provider: provider as OAuthProvider, metadata };
}

function authenticationOf(
	{ clientSecret, clientAuthentication }: OpenIdClient,
	found: Pick<ProviderMetadata, "clientAuthentication">,
) {
	if (clientSecret === null) return { method: "none" } as const;
	const method = clientAuthentication ?? found.clientAuthentication;
	if (!method) throw new ProviderProblem("The provider does not accept a client secret");
	return { method };
}

/**
 * A client without a secret needs a provider that names itself in its answers. Otherwise the provider of
 * another tenant could send a user to this one and get the code and its PKCE verifier from us, which is
 * all that a public client needs.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9700#section-4.4
 */
export function requireUsableClient(
	{ sendsIssuer, clientAuthentication }: ProviderMetadata,
	hasSecret: boolean,
): void {
	if (!hasSecret && !sendsIssuer) {
		throw new ProviderProblem(
			"A client without a secret needs a provider that sends iss in its answers (RFC 9207)",
		);
	}
	if (hasSecret && !clientAuthentication) {
		throw new ProviderProblem("The provider does not accept a client secret");
	}
}
