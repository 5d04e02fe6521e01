import { genericOAuth } from "better-auth/plugins";
import { expect } from "vitest";
import { listen } from "../../support/providers/identity-provider/listen";
import type { Answer } from "../../support/worlds/instance";
import { answers, failed, type Outcome, type PluginMatrix, refused } from "./matrix";

interface Forge {
	accountId: string;
	/** Of a sign-in that is under way in the side's own browser. */
	state: string;
}

const stateOf = ({ body }: Answer) => String(new URL(body.url).searchParams.get("state"));
const noAccount = refused(400, "ACCOUNT_NOT_FOUND");
const leadsToForge: Outcome<Forge> = (answer, { a, b }) => {
	expect(answer.body.url).toContain("https://forge.example.com/authorize");
	expect([a.state, b.state]).not.toContain(stateOf(answer));
};
const aToken = answers(() =>
	expect.objectContaining({ accessToken: expect.stringContaining("access") }),
);

/** The plugin has no endpoint: its providers are used at core's. The same person is in both tenants. */
export const genericOAuthMatrix: PluginMatrix<Forge> = {
	plugin: "generic-oauth",
	async options({ onEnd }) {
		const service = await listen(({ url }, response) => {
			response.setHeader("content-type", "application/json");
			const tokens = { access_token: "access", refresh_token: "refresh", expires_in: 3600 };
			const person = { id: "ada", email: "ada@example.com", emailVerified: true, name: "Ada" };
			const answer = url?.startsWith("/token") ? { ...tokens, token_type: "Bearer" } : person;
			response.end(JSON.stringify(answer));
		});
		onEnd(service.close);
		const config = {
			providerId: "forge",
			clientId: "client",
			clientSecret: "secret",
			authorizationUrl: "https://forge.example.com/authorize",
			tokenUrl: `http://127.0.0.1:${service.port}/token`,
			userInfoUrl: `http://127.0.0.1:${service.port}/user`,
		};
		return {
			account: { accountLinking: { trustedProviders: ["forge"] } },
			plugins: [genericOAuth({ config: [config] })],
		};
	},
	async make({ to, as, db }, { tenantId, cookie }) {
		const start = () => as("/link-social", { body: { provider: "forge", callbackURL: "/home" } });
		const first = await start();
		const query = { code: "code", state: stateOf(first) };
		await as("/callback/forge", { query, cookie: first.cookie });
		const account = await db
			.selectFrom("account")
			.select("id")
			.where("tenantId", "=", tenantId)
			.where("providerId", "=", "forge")
			.executeTakeFirstOrThrow();
		const pending = await to("/sign-in/social", {
			body: { provider: "forge", callbackURL: "/home", errorCallbackURL: "/failed" },
		});
		return {
			accountId: String(account.id),
			state: stateOf(pending),
			cookie: `${cookie}; ${pending.cookie}`,
		};
	},
	rows: {},
	core: {
		signInSocial: [
			{
				tries: "starts, with A in additionalData",
				call: ({ a }) => ({
					path: "/sign-in/social",
					body: { provider: "forge", additionalData: { tenantId: a.tenantId } },
				}),
				by: "anyone",
				gets: leadsToForge,
				own: leadsToForge,
			},
		],
		linkSocialAccount: [
			{
				tries: "starts, with A's user beside it",
				call: ({ a }) => ({
					path: "/link-social",
					body: { provider: "forge", additionalData: { userId: a.userId } },
				}),
				by: "user",
				gets: leadsToForge,
				own: leadsToForge,
				knows: ({ a }) => [a.userId],
			},
		],
		callbackOAuth: [
			{
				tries: "finishes A's flow",
				call: ({ a }) => ({ path: "/callback/forge", query: { code: "code", state: a.state } }),
				by: "anyone",
				// A's own browser may finish A's flow, whatever tenant a header names.
				ways: [
					"with its own session",
					"with its own session and its own name",
					"with no session and its own name",
				],
				gets: failed("state"),
				own: ({ status, headers, cookie }) => {
					expect([status, headers.get("location")]).toEqual([302, "/home"]);
					expect(cookie).toContain("session_token=");
				},
			},
		],
		getAccessToken: [
			{
				tries: "names A's account and user",
				call: ({ a }) => ({
					path: "/get-access-token",
					body: { accountId: a.accountId, userId: a.userId },
				}),
				by: "user",
				gets: noAccount,
				own: aToken,
			},
		],
		refreshToken: [
			{
				tries: "names A's account and user",
				call: ({ a }) => ({
					path: "/refresh-token",
					body: { accountId: a.accountId, userId: a.userId },
				}),
				by: "user",
				gets: noAccount,
				own: aToken,
			},
		],
		accountInfo: [
			{
				tries: "names A's account and user",
				call: ({ a }) => ({
					path: "/account-info",
					query: { accountId: a.accountId, userId: a.userId },
				}),
				by: "user",
				gets: noAccount,
				own: answers(() => expect.objectContaining({ user: expect.anything() })),
			},
		],
		unlinkAccount: [
			{
				tries: "names A's account",
				call: ({ a }) => ({ path: "/unlink-account", body: { accountId: a.accountId } }),
				by: "user",
				gets: noAccount,
				own: answers(() => ({ status: true })),
			},
		],
	},
};
