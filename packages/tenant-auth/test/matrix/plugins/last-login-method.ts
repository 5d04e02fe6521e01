import { lastLoginMethod } from "better-auth/plugins";
import { expect } from "vitest";
import { aboutA, answers, type PluginMatrix, refused } from "./matrix";

/** The plugin has no endpoint: it notes what happens at core's. */
export const lastLoginMethodMatrix: PluginMatrix<object> = {
	plugin: "last-login-method",
	options: () => ({ plugins: [lastLoginMethod({ storeInDatabase: true })] }),
	rows: {},
	core: {
		signInEmail: [
			{
				tries: "signs in with A's password",
				call: ({ a }) => ({
					path: "/sign-in/email",
					body: { email: a.email, password: a.password },
				}),
				by: "anyone",
				gets: refused(401, "INVALID_EMAIL_OR_PASSWORD"),
				own: aboutA,
			},
		],
		getSession: [
			{
				tries: "asks how it came in",
				call: () => ({ path: "/get-session" }),
				by: "user",
				gets: ({ body }, { b }) =>
					expect(body.user).toMatchObject({ id: b.userId, lastLoginMethod: "email" }),
				otherwise: answers(() => null),
				own: ({ body }, { a }) =>
					expect(body.user).toMatchObject({ id: a.userId, lastLoginMethod: "email" }),
			},
		],
	},
};
