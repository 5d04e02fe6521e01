import type { Dialect } from "./dialect";

/** Plain OpenID Connect, found by its discovery document. */
export const openid: Dialect = {
	hosts: [],
	issuer: (url) => url,
	routes: { authorization: "/authorize", token: "/token", jwks: "/keys" },
	scopes: ["email", "profile", "offline_access"],
	claims: (person) => ({
		email: person.email,
		email_verified: person.emailVerified,
		name: person.name,
		picture: person.picture,
		groups: undefined,
		upn: undefined,
		...person.claims,
	}),
	resources: {},
};
