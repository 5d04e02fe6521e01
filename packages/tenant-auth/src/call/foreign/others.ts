import type { ForeignPlugin } from "./foreign-plugin";

/** Plugins about which there is little to say. */
export const others: readonly ForeignPlugin[] = [
	{ id: "bearer", bearerSessions: true, makesNoTokens: true },
	{ id: "captcha", guardsPaths: true },
	{ id: "custom-session" },
	{ id: "expo" },
	{ id: "generic-oauth" },
	{ id: "have-i-been-pwned" },
	{ id: "i18n" },
	{ id: "last-login-method", makesNoTokens: true },
	{ id: "multi-session", makesNoTokens: true },
	{ id: "open-api" },
	// Creates rows for tests.
	{ id: "test-utils" },
	// Runs statements below this plugin.
	{ id: "fast-statements" },
	{ id: "next-cookies", comesLast: true, makesNoTokens: true },
	{ id: "sveltekit-cookies", comesLast: true, makesNoTokens: true },
	{ id: "tanstack-start-cookies", comesLast: true, makesNoTokens: true },
	{ id: "tanstack-start-cookies-solid", comesLast: true, makesNoTokens: true },
	{
		id: "oauth-proxy",
		refused: {
			why: "its callbacks pass the user on without the tenant",
			instead: "register the redirect URI of each environment at the identity provider",
		},
	},
	{
		id: "oauth-popup",
		refused: {
			why: "its OAuth state does not carry the tenant to the callback",
			instead: "start the social sign-in in the window that you open",
		},
	},
];
