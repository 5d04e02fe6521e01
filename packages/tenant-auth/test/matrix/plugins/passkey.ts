import { passkey } from "@better-auth/passkey";
import type { BetterAuthPlugin } from "better-auth";
import { expect } from "vitest";
import { makeAuthenticator } from "../../support/providers/software-authenticator";
import { type Answer, ORIGIN } from "../../support/worlds/instance";
import { aboutA, answers, type PluginMatrix, refused } from "./matrix";

interface Keys {
	authenticator: ReturnType<typeof makeAuthenticator>;
	passkeyId: string;
	/** Challenges that are not answered yet, and the cookies that belong to them. */
	registration: Answer;
	authentication: Answer;
}

const headers = { origin: ORIGIN };
const aChallenge = answers(() => expect.objectContaining({ challenge: expect.any(String) }));
const notFound = refused(404, "PASSKEY_NOT_FOUND");

export const passkeyMatrix: PluginMatrix<Keys> = {
	plugin: "@better-auth/passkey",
	options: () => ({ plugins: [passkey() as unknown as BetterAuthPlugin] }),
	async make({ as, to }) {
		const authenticator = makeAuthenticator(ORIGIN);
		const asked = await as("/passkey/generate-register-options");
		const { body } = await as("/passkey/verify-registration", {
			body: { response: authenticator.register(asked.body.challenge) },
			cookie: asked.cookie,
			headers,
		});
		return {
			authenticator,
			passkeyId: body.id,
			registration: await as("/passkey/generate-register-options"),
			authentication: await to("/passkey/generate-authenticate-options"),
		};
	},
	rows: {
		generatePasskeyRegistrationOptions: [
			{
				tries: "asks for a challenge, with A's user beside it",
				call: ({ a }) => ({
					path: "/passkey/generate-register-options",
					query: { userId: a.userId },
				}),
				by: "user",
				gets: aChallenge,
				own: ({ body }, { a }) => expect(body.excludeCredentials[0]?.id).toBe(a.authenticator.id),
			},
		],
		generatePasskeyAuthenticationOptions: [
			{
				tries: "asks for a challenge",
				call: () => ({ path: "/passkey/generate-authenticate-options" }),
				by: "anyone",
				gets: aChallenge,
				own: ({ body }, { a }) => expect(body.allowCredentials[0]?.id).toBe(a.authenticator.id),
			},
		],
		verifyPasskeyRegistration: [
			{
				tries: "answers A's challenge",
				call: ({ a }) => ({
					path: "/passkey/verify-registration",
					body: { response: makeAuthenticator(ORIGIN).register(a.registration.body.challenge) },
					cookie: a.registration.cookie,
					headers,
				}),
				by: "user",
				gets: refused(400, "CHALLENGE_NOT_FOUND"),
				own: ({ body }, { a }) => expect(body.userId).toBe(a.userId),
			},
		],
		verifyPasskeyAuthentication: [
			{
				tries: "answers A's challenge with A's key",
				call: ({ a }) => ({
					path: "/passkey/verify-authentication",
					body: { response: a.authenticator.authenticate(a.authentication.body.challenge) },
					cookie: a.authentication.cookie,
					headers,
				}),
				by: "holder",
				gets: refused(400, "CHALLENGE_NOT_FOUND"),
				own: aboutA,
			},
			{
				tries: "answers its own challenge with A's key",
				call: ({ a, b }) => ({
					path: "/passkey/verify-authentication",
					body: { response: a.authenticator.authenticate(b.authentication.body.challenge) },
					cookie: b.authentication.cookie,
					headers,
				}),
				by: "anyone",
				gets: refused(401, "PASSKEY_NOT_FOUND"),
				// And A with B's challenge.
				own: refused(400, "CHALLENGE_NOT_FOUND"),
			},
		],
		listPasskeys: [
			{
				tries: "lists, with A's user beside it",
				call: ({ a }) => ({ path: "/passkey/list-user-passkeys", query: { userId: a.userId } }),
				by: "user",
				gets: ({ body }, { b }) => expect(body.map(idOf)).toEqual([b.passkeyId]),
				own: ({ body }, { a }) => expect(body.map(idOf)).toEqual([a.passkeyId]),
			},
		],
		deletePasskey: [
			{
				tries: "deletes A's",
				call: ({ a }) => ({ path: "/passkey/delete-passkey", body: { id: a.passkeyId } }),
				by: "user",
				gets: notFound,
				own: answers(() => ({ status: true })),
			},
		],
		updatePasskey: [
			{
				tries: "renames A's",
				call: ({ a }) => ({
					path: "/passkey/update-passkey",
					body: { id: a.passkeyId, name: "taken" },
				}),
				by: "user",
				gets: notFound,
				own: ({ body }, { a }) =>
					expect(body.passkey).toMatchObject({ id: a.passkeyId, name: "taken" }),
			},
		],
	},
};

const idOf = ({ id }: { id: string }) => id;
