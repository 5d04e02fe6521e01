import { apiKey } from "@better-auth/api-key";
import { oauthProvider } from "@better-auth/oauth-provider";
import type { BetterAuthPlugin } from "better-auth";
import { describe, expect, it } from "vitest";
import { isGlobalField, rulesOf } from "../../src/call/context/endpoint-rules";
import { STORED_TOKENS, TOKEN_FIELDS } from "../../src/call/foreign";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { newConnection, type ScimApi, scimPlugin } from "../support/providers/scim";
import { makeFakeStripe, stripePlugin } from "../support/providers/stripe";
import { cookiesOf, makePlain, user } from "../support/worlds/plain-better-auth";

/**
 * What the declarations in `foreign` assume about Better Auth's plugins in packages of their own.
 * See `contract.test.ts`.
 */

/** Better Auth with a plugin, and the queries that read rows: model and fields. */
async function makeWatched(plugin: object, options: Parameters<typeof makePlain>[0] = {}) {
	const queries: string[] = [];
	const watch = {
		id: "watch",
		init: ({ adapter }) => {
			for (const method of ["findOne", "findMany"] as const) {
				const original = adapter[method] as unknown as (query: never) => Promise<never>;
				Object.assign(adapter, {
					[method]: (query: { model: string; where?: { field: string }[] }) => {
						queries.push(`${query.model} ${query.where?.map(({ field }) => field).join(" ")}`);
						return original(query as never);
					},
				});
			}
		},
	} satisfies BetterAuthPlugin;
	const plain = await makePlain({
		plugins: [plugin as BetterAuthPlugin, watch],
		logger: { disabled: true },
		...options,
	});
	const paths = Object.values(plain.auth.api).map(({ path }) => path);
	return { ...plain, queries, paths };
}

describe("call/foreign/api-key.ts assumes that the API key plugin", () => {
	const { isTokenKey, keysOf, listKeyOf } = STORED_TOKENS;
	const keys = { enableSessionForAPIKeys: true };

	it("finds a key by the field key, in its first query", async () => {
		const { call, queries } = await makeWatched(apiKey(keys));
		queries.length = 0;
		await call("/get-session", { headers: { "x-api-key": "k".repeat(64) } });
		expect(queries[0]).toBe("apikey key");
		expect(TOKEN_FIELDS).toEqual({ apikey: ["key"] });
	});

	it("has keys of a storage that start with api-key: and lists of them by id and by owner", async () => {
		const storage = makeMemoryStorage();
		const { call } = await makeWatched(apiKey({ ...keys, storage: "secondary-storage" }), {
			secondaryStorage: storage,
		});
		const cookie = cookiesOf(await call("/sign-up/email", { json: user }));
		expect((await call("/api-key/create", { json: {}, headers: { cookie } })).status).toBe(200);
		const stored = storage.entries().filter(([key]) => key.startsWith("api-key:"));
		const [token, ...others] = stored.filter(([key]) => isTokenKey(key));
		expect(others).toEqual([]);
		const row = JSON.parse(String(token?.[1]));
		const named = [...keysOf(row), listKeyOf(row.referenceId)];
		expect(stored.map(([key]) => key).sort()).toEqual(named.sort());
	});
});

describe("call/foreign/scim.ts assumes that the SCIM plugin", () => {
	it("finds a managed connection by the id of its credential, in its first query", async () => {
		const { auth, call, queries, paths } = await makeWatched(scimPlugin());
		const api = auth.api as unknown as ScimApi;
		const { token } = await api.createSCIMManagedConnection({ body: newConnection("admin") });
		queries.length = 0;
		const headers = { authorization: `Bearer ${token}` };
		expect((await call("/scim/v2/Users", { headers })).status).toBe(200);
		const [first = ""] = queries;
		const [model = "", field = ""] = first.split(" ");
		expect(rulesOf("/scim/v2/Users").rows).toEqual({ [model]: [field] });
		expect(isGlobalField(model, field)).toBe(true);
		const policed = ["Users", "Users/:userId", "Groups", "Groups/:groupId"];
		expect(paths).toEqual(expect.arrayContaining(policed.map((it) => `/scim/v2/${it}`)));
	});
});

describe("call/foreign/stripe.ts assumes that the Stripe plugin", () => {
	it("asks for no row before it has verified the signature of an event", async () => {
		const stripe = makeFakeStripe();
		const { call, queries } = await makeWatched(stripePlugin(stripe));
		const subscription = stripe.makeSubscription("cus_1");
		const forged = stripe.event("customer.subscription.updated", subscription, "another secret");
		queries.length = 0;
		expect((await call("/stripe/webhook", { method: "POST", ...forged })).status).toBe(400);
		expect(queries).toEqual([]);
	});

	it.each(["updated", "deleted", "created"])(
		"finds what the event of a subscription that was %s is about by a field of the policy",
		async (type) => {
			const stripe = makeFakeStripe();
			const { call, queries } = await makeWatched(stripePlugin(stripe));
			const subscription = stripe.makeSubscription("cus_1");
			const event = stripe.event(`customer.subscription.${type}`, subscription);
			queries.length = 0;
			expect((await call("/stripe/webhook", { method: "POST", ...event })).status).toBe(200);
			const [model = "", ...fields] = queries[0]?.split(" ") ?? [];
			const named = rulesOf("/stripe/webhook").rows?.[model] ?? [];
			expect(fields.some((field) => named.includes(field))).toBe(true);
		},
	);
});

describe("call/foreign/oauth-provider assumes that the OAuth provider plugin", () => {
	const provider = () =>
		oauthProvider({ loginPage: "/login", consentPage: "/consent", disableJwtPlugin: true });

	it("finds an access token that is not a JWT by the field token, in its first query", async () => {
		const { call, queries } = await makeWatched(provider());
		queries.length = 0;
		const headers = { authorization: "Bearer an-opaque-token" };
		expect((await call("/oauth2/userinfo", { headers })).status).toBe(401);
		expect(queries[0]).toBe("oauthAccessToken token");
		expect(rulesOf("/oauth2/userinfo").rows).toEqual({ oauthAccessToken: ["token"] });
	});

	it("finds a client by the field clientId, which is unique", async () => {
		const { call, queries, context, paths } = await makeWatched(provider());
		queries.length = 0;
		const answer = await call("/oauth2/token", {
			method: "POST",
			headers: { "content-type": "application/x-www-form-urlencoded" },
			body: "grant_type=client_credentials&client_id=unknown&client_secret=secret",
		});
		expect(await answer.json()).toMatchObject({ error: "invalid_client" });
		expect(queries).toContain("oauthClient clientId");
		expect(context.tables.oauthClient?.fields.clientId?.unique).toBe(true);
		const policed = ["authorize", "token", "introspect", "revoke", "userinfo", "end-session"];
		expect(paths).toEqual(expect.arrayContaining(policed.map((it) => `/oauth2/${it}`)));
	});
});
