import { anonymous } from "better-auth/plugins";
import { expect } from "vitest";
import { aboutB, answers, type PluginMatrix, refused } from "./matrix";

/** Both sides are guests. */
export const anonymousMatrix: PluginMatrix<object> = {
	plugin: "anonymous",
	options: () => ({ plugins: [anonymous()] }),
	async make({ to, call }) {
		const { cookie } = await to("/sign-in/anonymous", { body: {} });
		const { id: sessionId, token, userId } = (await call("/get-session", { cookie })).body.session;
		return { cookie, sessionId, token, userId };
	},
	rows: {
		signInAnonymous: [
			{
				tries: "becomes a guest",
				call: () => ({ path: "/sign-in/anonymous", body: {} }),
				by: "anyone",
				// A guest already is one; in another tenant it is nobody yet.
				gets: refused(400, "ANONYMOUS_USERS_CANNOT_SIGN_IN_AGAIN_ANONYMOUSLY"),
				otherwise: ({ status, body }, { b }) =>
					expect([status, body.user?.tenantId]).toEqual([200, b.tenantId]),
				own: refused(400, "ANONYMOUS_USERS_CANNOT_SIGN_IN_AGAIN_ANONYMOUSLY"),
			},
		],
		deleteAnonymousUser: [
			{
				tries: "deletes a guest, with A's beside it",
				call: ({ a }) => ({
					path: "/delete-anonymous-user",
					body: { userId: a.userId, id: a.userId },
				}),
				by: "user",
				gets: answers(() => ({ success: true })),
				own: answers(() => ({ success: true })),
			},
		],
	},
	core: {
		signUpEmail: [
			{
				tries: "signs up, as a guest who would be deleted then",
				call: () => ({
					path: "/sign-up/email",
					body: { name: "New", email: "new@example.com", password: "a password of mine" },
				}),
				by: "anyone",
				gets: answers(),
				own: answers(),
			},
		],
		getSession: [
			{
				tries: "asks who it is",
				call: () => ({ path: "/get-session" }),
				by: "user",
				gets: aboutB,
				otherwise: answers(() => null),
				own: ({ body }) => expect(body.user.isAnonymous).toBe(true),
			},
		],
	},
};
