import type { Person } from "./person";

/** How one brand of provider differs from plain OpenID Connect. */
export interface Dialect {
	/** Hosts that Better Auth has built in for this brand; they are led to the loopback server. */
	hosts: readonly string[];
	/** The `iss` of its id tokens, for a server at this address. */
	issuer(url: string): string;
	routes: { authorization: string; token: string; jwks?: string };
	/** Scopes it knows beyond `openid`; others are ignored, as OAuth 2.0 allows. */
	scopes: readonly string[];
	/** What its id token says about an account. */
	claims(person: Person): Record<string, unknown>;
	/** Its own API, open to the bearer of an access token: JSON, a picture, or a redirect. */
	resources: Record<string, (person: Person) => unknown>;
	/** Extra fields of a `form_post` answer. */
	formFields?(person: Person): Record<string, string>;
	/** From the brand's address to the one that the provider serves. */
	rewrite?(url: URL): void;
	/** Response types beyond `code`. */
	responseTypes?: readonly "code id_token"[];
	/** Answers an OAuth error of the token endpoint with status 200. */
	tokenErrorsAreOk?: boolean;
}
