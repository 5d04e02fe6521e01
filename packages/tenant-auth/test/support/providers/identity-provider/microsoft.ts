import type { Dialect } from "./dialect";

/** The one directory of the test Entra; it also answers under the shared names. */
export const directoryId = "7f8a6c1e-0f52-4d1c-9c1b-5a0f3a3f4a11";

const directories = [directoryId, "common", "organizations"];

/** Entra: Better Auth's `authority` option is its address; the photo comes from a fixed host. */
export const microsoft: Dialect = {
	hosts: ["graph.microsoft.com"],
	issuer: (url) => `${url}/${directoryId}/v2.0`,
	routes: {
		authorization: "/oauth2/v2.0/authorize",
		token: "/oauth2/v2.0/token",
		jwks: "/discovery/v2.0/keys",
	},
	scopes: ["profile", "email", "offline_access", "User.Read", "Calendars.Read"],
	claims: (person) => ({
		oid: `oid-${person.sub}`,
		tid: directoryId,
		name: person.name,
		email: person.email,
		preferred_username: person.email,
		email_verified: person.emailVerified,
		...person.claims,
	}),
	resources: {
		"/v1.0/me/photos/48x48/$value": (person) => Buffer.from(`photo of ${person.sub}`),
	},
	rewrite(url) {
		const [, directory, ...rest] = url.pathname.split("/");
		if (directory && directories.includes(directory)) url.pathname = `/${rest.join("/")}`;
	},
};
