import { electron } from "@better-auth/electron";
import { generateCodeChallenge } from "better-auth/oauth2";
import { expect } from "vitest";
import { aboutA, answers, type PluginMatrix, refused } from "./matrix";

const VERIFIER = "a code verifier that is long enough for everybody";
const STATE = "the state of the app";

const aNewCode = answers(() => ({
	url: null,
	redirect: false,
	electron_authorization_code: expect.any(String),
}));

export const electronMatrix: PluginMatrix<{ code: string }> = {
	plugin: "@better-auth/electron",
	options: () => ({ plugins: [electron()] }),
	async make({ as }) {
		const query = {
			client_id: "electron",
			state: STATE,
			code_challenge: await generateCodeChallenge(VERIFIER),
		};
		const { body } = await as("/electron/transfer-user", { query, body: {} });
		return { code: body.electron_authorization_code };
	},
	rows: {
		electronTransferUser: [
			{
				tries: "gets a code, with A's code beside it",
				call: ({ a }) => ({
					path: "/electron/transfer-user",
					query: { client_id: "electron", state: a.code, code_challenge: "a challenge" },
					body: {},
				}),
				by: "user",
				gets: aNewCode,
				own: aNewCode,
				knows: ({ a }) => [a.code],
			},
		],
		electronToken: [
			{
				tries: "presents A's code",
				call: ({ a }) => ({
					path: "/electron/token",
					body: { token: a.code, state: STATE, code_verifier: VERIFIER },
				}),
				by: "holder",
				gets: refused(404, "INVALID_TOKEN"),
				own: aboutA,
			},
		],
		electronInitOAuthProxy: [
			{
				// The rest is in the flow tests: the plugin calls the server of the app over HTTP.
				tries: "starts a sign-in without a challenge",
				call: () => ({
					path: "/electron/init-oauth-proxy",
					query: { provider: "gitlab", state: STATE },
				}),
				by: "anyone",
				ofHost: true,
				gets: refused(400, "VALIDATION_ERROR"),
				own: refused(400, "VALIDATION_ERROR"),
			},
		],
	},
};
