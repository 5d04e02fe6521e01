import type { Dialect } from "./dialect";

/** A self-hosted GitLab: Better Auth's `issuer` option is its address. */
export const gitlab: Dialect = {
	hosts: [],
	issuer: (url) => url,
	routes: {
		authorization: "/oauth/authorize",
		token: "/oauth/token",
		jwks: "/oauth/discovery/keys",
	},
	scopes: ["read_user", "read_api", "read_repository"],
	claims: (person) => ({ email: person.email }),
	resources: {
		"/api/v4/user": (person) => ({
			id: person.number,
			username: `user${person.number}`,
			name: person.name,
			state: "active",
			locked: false,
			email: person.email,
			email_verified: person.emailVerified,
			avatar_url: person.picture,
			...person.claims,
		}),
	},
};
