import { oneTimeToken } from "better-auth/plugins";
import { expect } from "vitest";
import { aboutA, answers, type PluginMatrix, refused } from "./matrix";

const aNewToken = answers(() => ({ token: expect.any(String) }));

export const oneTimeTokenMatrix: PluginMatrix<{ oneTime: string }> = {
	plugin: "one-time-token",
	options: () => ({ plugins: [oneTimeToken()] }),
	make: async ({ as }) => ({ oneTime: (await as("/one-time-token/generate")).body.token }),
	rows: {
		generateOneTimeToken: [
			{
				tries: "makes one, with A's session beside it",
				call: ({ a }) => ({
					path: "/one-time-token/generate",
					query: { token: a.token, sessionId: a.sessionId },
				}),
				by: "user",
				gets: aNewToken,
				own: aNewToken,
			},
		],
		verifyOneTimeToken: [
			{
				tries: "presents A's",
				call: ({ a }) => ({ path: "/one-time-token/verify", body: { token: a.oneTime } }),
				by: "holder",
				gets: refused(400),
				own: aboutA,
			},
		],
	},
};
