import { randomUUID } from "node:crypto";
import type { Dialect } from "./dialect";
import { nameParts } from "./person";

/** Apple answers the browser with a form, and tells the name in that form alone. */
export const apple: Dialect = {
	hosts: ["appleid.apple.com"],
	issuer: () => "https://appleid.apple.com",
	routes: { authorization: "/auth/authorize", token: "/auth/token", jwks: "/auth/keys" },
	scopes: ["email", "name"],
	responseTypes: ["code id_token"],
	claims: (person) => ({
		email: person.email,
		email_verified: person.emailVerified,
		...person.claims,
	}),
	resources: {},
	formFields: (person) => ({
		user: JSON.stringify({ name: nameParts(person), email: person.email }),
	}),
	rewrite(url) {
		// Apple gives an id token without being asked for `openid` or given a nonce.
		if (url.pathname !== "/auth/authorize") return;
		const scopes = new Set(url.searchParams.get("scope")?.split(" ")).add("openid");
		url.searchParams.set("scope", [...scopes].join(" "));
		if (!url.searchParams.has("nonce")) url.searchParams.set("nonce", randomUUID());
	},
};
