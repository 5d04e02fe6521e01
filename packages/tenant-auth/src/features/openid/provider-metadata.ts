import * as z from "zod";
import type { Limits } from "../../call/network/guarded-fetch";
import { findProviderUrlProblem } from "./provider-fetch";
import { readJson } from "./read-json";

/** What is used of a provider's discovery document. */
export interface ProviderMetadata {
	issuer: string;
	authorizationEndpoint: string;
	tokenEndpoint: string;
	jwksUri: string;
	userInfoEndpoint: string | null;
	endSessionEndpoint: string | null;
	/** Of the scopes that we ask for by default, those that the provider knows. */
	scopes: string[];
	/** How the client sends its secret, if the config does not say it. */
	clientAuthentication: ClientAuthentication | null;
	/** The provider names itself in its responses. @see https://www.rfc-editor.org/rfc/rfc9207 */
	sendsIssuer: boolean;
}

export type ClientAuthentication = "client_secret_basic" | "client_secret_post";

/** A provider that cannot be used. The message is for the people who configure it. */
export class ProviderProblem extends Error {}

/**
 * Signatures that only the provider can make. Not `none`, and not those with a shared secret: everybody
 * who knows the client secret could sign, and a public key could be taken for the secret.
 */
export const SIGNATURE_ALGORITHMS = [
	"RS256",
	"RS384",
	"RS512",
	"PS256",
	"PS384",
	"PS512",
	"ES256",
	"ES384",
	"ES512",
	"EdDSA",
	"Ed25519",
];

const DEFAULT_SCOPES = ["openid", "profile", "email"];

/** Real documents have less than 16 KB. */
export const MAX_DOCUMENT_BYTES = 128 * 1024;

const text = z.string().max(2048);
const texts = z.array(z.string()).nullish();

const documentSchema = z.object({
	issuer: text,
	authorization_endpoint: text,
	token_endpoint: text,
	jwks_uri: text,
	userinfo_endpoint: text.nullish(),
	end_session_endpoint: text.nullish(),
	response_types_supported: texts,
	id_token_signing_alg_values_supported: texts,
	code_challenge_methods_supported: texts,
	token_endpoint_auth_methods_supported: texts,
	scopes_supported: texts,
	authorization_response_iss_parameter_supported: z.boolean().nullish(),
});

type Document = z.output<typeof documentSchema>;

/**
 * Loads and checks the discovery document of an issuer.
 *
 * @see https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfig
 * @throws ProviderProblem
 */
export async function loadMetadata(issuer: string, limits: Limits): Promise<ProviderMetadata> {
	const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
	// One message for every reason: it must not reveal which ports of a host are open.
	const loaded = await readJson(url, { ...limits, maxBytes: MAX_DOCUMENT_BYTES }).catch(() => {
		throw new ProviderProblem("The discovery document of the issuer could not be loaded");
	});
	const { data: document } = documentSchema.safeParse(loaded);
	if (!document) throw new ProviderProblem("The discovery document of the issuer is not valid");
	requireSameIssuer(document, issuer);
	requireUsableFlow(document);
	requireAllowedEndpoints(document, limits);
	return toMetadata(document);
}

/** Otherwise one provider could speak for another one. The comparison is exact, as OpenID demands. */
function requireSameIssuer(document: Document, issuer: string): void {
	if (document.issuer === issuer) return;
	const named = document.issuer.replace(/[^\x21-\x7e]/g, "").slice(0, 200);
	throw new ProviderProblem(
		`The discovery document names the issuer ${named}. It must be the same, character by character`,
	);
}

function requireUsableFlow(document: Document): void {
	const lacks = (list: string[] | null | undefined, usable: readonly string[]) =>
		list != null && !list.some((each) => usable.includes(each));
	if (lacks(document.response_types_supported, ["code"])) {
		throw new ProviderProblem("The provider does not support the response type code");
	}
	// Entra and others support it without saying so. Then it is sent too.
	if (lacks(document.code_challenge_methods_supported, ["S256"])) {
		throw new ProviderProblem("The provider does not support PKCE with S256");
	}
	if (lacks(document.id_token_signing_alg_values_supported, SIGNATURE_ALGORITHMS)) {
		throw new ProviderProblem("The provider signs ID tokens with an algorithm that is not allowed");
	}
	if (lacks(document.token_endpoint_auth_methods_supported, [...SECRET_METHODS, "none"])) {
		throw new ProviderProblem("The provider does not accept a client secret");
	}
}

/** The tenant chose the issuer, and its document chooses these. So the same rules apply to them. */
function requireAllowedEndpoints(document: Document, { allowPrivate }: Limits): void {
	const endpoints = {
		authorization_endpoint: document.authorization_endpoint,
		token_endpoint: document.token_endpoint,
		jwks_uri: document.jwks_uri,
		userinfo_endpoint: document.userinfo_endpoint,
		end_session_endpoint: document.end_session_endpoint,
	};
	for (const [name, value] of Object.entries(endpoints)) {
		if (value == null) continue;
		const problem = findProviderUrlProblem(value, allowPrivate);
		if (problem) throw new ProviderProblem(`${name} of the discovery document ${problem}`);
	}
}

const SECRET_METHODS = ["client_secret_basic", "client_secret_post"] as const;

function toMetadata(document: Document): ProviderMetadata {
	// Without a list it is the first one. @see https://www.rfc-editor.org/rfc/rfc8414#section-2
	const methods = document.token_endpoint_auth_methods_supported ?? SECRET_METHODS;
	const known = document.scopes_supported;
	return {
		issuer: document.issuer,
		authorizationEndpoint: document.authorization_endpoint,
		tokenEndpoint: document.token_endpoint,
		jwksUri: document.jwks_uri,
		userInfoEndpoint: document.userinfo_endpoint ?? null,
		endSessionEndpoint: document.end_session_endpoint ?? null,
		scopes: DEFAULT_SCOPES.filter(
			(scope) => scope === "openid" || known?.includes(scope) !== false,
		),
		clientAuthentication: SECRET_METHODS.find((method) => methods.includes(method)) ?? null,
		sendsIssuer: document.authorization_response_iss_parameter_supported === true,
	};
}
