import { i18n } from "@better-auth/i18n";
import { expect } from "vitest";
import { aboutA, type PluginMatrix } from "./matrix";

/** The plugin has no endpoint: it translates errors of others. */
export const i18nMatrix: PluginMatrix<object> = {
	plugin: "@better-auth/i18n",
	options: () => ({
		plugins: [
			i18n({ translations: { en: {}, de: { INVALID_EMAIL_OR_PASSWORD: "de: wrong password" } } }),
		],
	}),
	rows: {},
	core: {
		signInEmail: [
			{
				tries: "signs in with A's password",
				call: ({ a }) => ({
					path: "/sign-in/email",
					body: { email: a.email, password: a.password },
					headers: { "accept-language": "de" },
				}),
				by: "anyone",
				gets: ({ status, body }) =>
					expect([status, body]).toEqual([
						401,
						{
							code: "INVALID_EMAIL_OR_PASSWORD",
							message: "de: wrong password",
							originalMessage: "Invalid email or password",
						},
					]),
				own: aboutA,
			},
		],
	},
};
