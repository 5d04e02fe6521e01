import {
	createAuthorizationURL,
	type OAuth2Tokens,
	type OAuthProvider,
	refreshAccessToken,
	validateAuthorizationCode,
} from "@better-auth/core/oauth2";
import { InvalidResponse, noteProviderProblem } from "../../call/context/provider-problem";
import type { Limits } from "../../call/network/guarded-fetch";
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
	/** Clients of native apps, which bring ID tokens that were issued to them. */
	nativeClientIds: readonly string[];
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

/** It comes directly from the provider, so it is new. In seconds. */
const MAX_AGE = 60 * 60;
/** It comes from an app, which has just got it. In seconds. */
const MAX_NATIVE_AGE = 10 * 60;

/** A change of the document takes effect after this time at the latest. */
const METADATA_LIFETIME = 10 * 60 * 1000;

/**
 * A provider for Better Auth's social sign-in, from a discovery document. Better Auth makes state, PKCE
 * verifier and nonce, compares `iss` of the response, and stores the account.
 *
 * Native apps can bring an ID token that was issued to a client of theirs. One that was issued to the
 * client of the website is not accepted: it has no nonce of the app, and it may be in the URL of a logout.
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

	const { issuer, mapping, nativeClientIds } = client;

	async function readProfile(tokens: OAuth2Tokens, nonce: string | undefined) {
		if (nonce === undefined) return readWithoutFlow(tokens);
		if (!tokens.idToken) throw new InvalidResponse("no_id_token");
		const clientIds = [client.clientId];
		const expected = { issuer, clientIds, nonce, keys, maxAge: MAX_AGE };
		return toProfile(await verifyIdToken(tokens.idToken, expected), tokens);
	}

	/**
	 * After `verify` below has accepted the token of a native app. And for /account-info, which signs
	 * nobody in: the ID token that it has is too old, so the access token is used.
	 */
	async function readWithoutFlow(tokens: OAuth2Tokens) {
		const claims = tokens.idToken && (await findNativeClaims(tokens.idToken, null));
		return claims ? toProfile(claims, tokens) : readUserInfo(tokens.accessToken);
	}

	async function findNativeClaims(token: string, nonce: string | null): Promise<Claims | null> {
		if (nativeClientIds.length === 0) return null;
		const expected = { issuer, clientIds: nativeClientIds, nonce, keys, maxAge: MAX_NATIVE_AGE };
		return verifyIdToken(token, expected).catch((error: unknown) => {
			noteProviderProblem(error);
			return null;
		});
	}

	async function toProfile(claims: Claims, tokens: OAuth2Tokens): Promise<Profile> {
		const sub = requireSubject(claims);
		const more = isComplete(claims, mapping) ? null : await readUserInfo(tokens.accessToken);
		// OpenID Connect Core, section 5.3.2: otherwise the response may be about somebody else.
		if (more && more.sub !== sub) throw new InvalidResponse("user_info_of_another_user");
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
		...(nativeClientIds.length > 0
			? {
					idToken: {
						// The app must have chosen a nonce, so a token from elsewhere cannot be used.
						verify: async (token, nonce) =>
							Boolean(nonce) && (await findNativeClaims(token, nonce ?? null)) !== null,
					},
				}
			: {}),
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
 * A client without a secret needs a provider that names itself in its responses. Otherwise the provider of
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
			"A client without a secret needs a provider that sends iss in its responses (RFC 9207)",
		);
	}
	if (hasSecret && !clientAuthentication) {
		throw new ProviderProblem("The provider does not accept a client secret");
	}
}
