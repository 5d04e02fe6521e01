import type { Dialect } from "./dialect";

export const github: Dialect = {
	hosts: ["github.com", "api.github.com"],
	issuer: () => "https://github.com",
	routes: { authorization: "/login/oauth/authorize", token: "/login/oauth/access_token" },
	scopes: ["read:user", "user:email", "repo", "read:org"],
	claims: () => ({}),
	resources: {
		"/user": (person) => ({
			id: person.number,
			login: `user${person.number}`,
			name: person.name,
			// GitHub hides the address here unless its owner made it public.
			email: null,
			avatar_url: person.picture,
			...person.claims,
		}),
		"/user/emails": (person) => [
			{ email: person.email, primary: true, verified: person.emailVerified, visibility: "private" },
		],
	},
	tokenErrorsAreOk: true,
};
