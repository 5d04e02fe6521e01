import type { ApplicationType } from "../api/applications";

type TypeTexts = { title: string; hint: string; hasSecret: boolean; hasUsers: boolean };

/** What each type is, for somebody who does not know OpenID Connect. */
export const TYPES: Record<ApplicationType, TypeTexts> = {
	web: {
		title: "Web app",
		hint: "Runs on a server, for example with Next.js, Django or PHP. It keeps a secret.",
		hasSecret: true,
		hasUsers: true,
	},
	spa: {
		title: "Single-page app",
		hint: "Runs in the browser only, for example with React or Vue. It has no secret, because users could read it.",
		hasSecret: false,
		hasUsers: true,
	},
	native: {
		title: "Mobile or desktop app",
		hint: "Is installed on a phone or a computer. It has no secret, because users could read it.",
		hasSecret: false,
		hasUsers: true,
	},
	machine: {
		title: "Program without users",
		hint: "A job or a server that calls your APIs for itself. Nobody signs in.",
		hasSecret: true,
		hasUsers: false,
	},
};

/** What a scope lets an application do. Scopes of your own APIs have no text. */
export const SCOPE_HINTS: Record<string, string> = {
	openid: "sign users in",
	profile: "read the name and the picture",
	email: "read the email",
	roles: "read the role in the tenant",
	permissions: "read what the role permits",
	offline_access: "stay signed in with refresh tokens",
};

const USER_SCOPES = Object.keys(SCOPE_HINTS);

/** What an application of this type can ask for. */
export const possibleScopes = (type: ApplicationType, apiScopes: string[]): string[] =>
	TYPES[type].hasUsers ? [...USER_SCOPES, ...apiScopes] : apiScopes;
