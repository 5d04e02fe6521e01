import { username } from "better-auth/plugins";
import { expect } from "vitest";
import { aboutA, answers, type PluginMatrix, refused } from "./matrix";

export const usernameMatrix: PluginMatrix<{ onlyHere: string }> = {
	plugin: "username",
	options: () => ({ plugins: [username()] }),
	signUp: () => ({ body: { username: "ada" } }),
	async make({ to }, { name, password }) {
		const onlyHere = `only_in_${name}`;
		const body = { name, email: `only-in-${name}@example.com`, password, username: onlyHere };
		await to("/sign-up/email", { body });
		return { onlyHere };
	},
	rows: {
		signInUsername: [
			{
				tries: "signs in with A's password",
				call: ({ a }) => ({
					path: "/sign-in/username",
					body: { username: "ada", password: a.password },
				}),
				by: "anyone",
				gets: refused(401, "INVALID_USERNAME_OR_PASSWORD"),
				own: aboutA,
			},
			{
				tries: "signs in with a name that only A has",
				call: ({ a }) => ({
					path: "/sign-in/username",
					body: { username: a.onlyHere, password: a.password },
				}),
				by: "anyone",
				gets: refused(401, "INVALID_USERNAME_OR_PASSWORD"),
				own: answers(({ a }) =>
					expect.objectContaining({ user: expect.objectContaining({ username: a.onlyHere }) }),
				),
			},
		],
		isUsernameAvailable: [
			{
				tries: "asks for a name that only A has",
				call: ({ a }) => ({ path: "/is-username-available", body: { username: a.onlyHere } }),
				by: "anyone",
				gets: answers(() => ({ available: true })),
				own: answers(() => ({ available: false })),
			},
		],
	},
	core: {
		updateUser: [
			{
				tries: "takes a name that only A has",
				call: ({ a }) => ({ path: "/update-user", body: { username: a.onlyHere } }),
				by: "user",
				gets: answers(() => ({ status: true })),
				// In A's name, the plugin looks whether the name is free before it asks who wants it.
				otherwise: ({ status }) => expect([400, 401]).toContain(status),
				own: refused(400, "USERNAME_IS_ALREADY_TAKEN"),
				knows: ({ a }) => [a.onlyHere],
			},
		],
		signUpEmail: [
			{
				tries: "signs up with a name that only A has",
				call: ({ a }) => ({
					path: "/sign-up/email",
					body: {
						name: "New",
						email: "new@example.com",
						password: "a password of mine",
						username: a.onlyHere,
					},
				}),
				by: "anyone",
				gets: answers(),
				own: refused(400, "USERNAME_IS_ALREADY_TAKEN"),
				knows: ({ a }) => [a.onlyHere],
			},
		],
	},
};
