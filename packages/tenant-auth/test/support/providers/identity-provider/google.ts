import type { Dialect } from "./dialect";

export const google: Dialect = {
	hosts: [
		"accounts.google.com",
		"oauth2.googleapis.com",
		"www.googleapis.com",
		"openidconnect.googleapis.com",
	],
	issuer: () => "https://accounts.google.com",
	routes: { authorization: "/o/oauth2/v2/auth", token: "/token", jwks: "/oauth2/v3/certs" },
	scopes: ["email", "profile", "https://www.googleapis.com/auth/calendar.readonly"],
	claims: (person) => ({
		email: person.email,
		email_verified: person.emailVerified,
		name: person.name,
		picture: person.picture,
		...person.claims,
	}),
	resources: {},
};
