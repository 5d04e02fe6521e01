import { oauthProvider } from "@better-auth/oauth-provider";
import { type BetterAuthPlugin, betterAuth } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { jwt, oAuthProxy, oauthPopup } from "better-auth/plugins";
import { tenantAuth } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { keepLog } from "../support/processes/kept-log";
import { everyPlugin } from "../support/worlds/every-plugin";
import { type InstanceOptions, makeInstance } from "../support/worlds/instance";

async function logOf(plugins: BetterAuthPlugin[], tenants: InstanceOptions["tenants"] = {}) {
	const { lines, logger } = keepLog();
	const { auth } = await makeInstance({ plugins, tenants, logger });
	await auth.$context;
	return lines.filter((line) => line.includes("not tested with"));
}

describe("at start,", () => {
	it("a plugin may have no id, as in Better Auth", async () => {
		const plugin = { schema: {}, hooks: { after: [] } } as unknown as BetterAuthPlugin;
		const session = { cookieCache: { enabled: true } };
		const { auth, call } = await makeInstance({ plugins: [plugin], session });
		await expect(auth.$context).resolves.toBeDefined();
		expect((await call("/get-session")).status).toBe(200);
	});

	it("an app without a database hears that stateless mode does not work", async () => {
		const { lines, logger } = keepLog();
		const secret = "a secret of thirty-two characters or more";
		await betterAuth({ secret, logger, plugins: [tenantAuth()] }).$context;
		expect(lines.join()).toContain("stateless mode does not work with tenants");
		const withDatabase = keepLog();
		await (await makeInstance({ logger: withDatabase.logger })).auth.$context;
		expect(withDatabase.lines.join()).not.toContain("stateless");
	});

	it.each([
		["oauth-proxy", oAuthProxy(), /its callbacks pass.*\. Instead, register the redirect URI/],
		["oauth-popup", oauthPopup(), /its OAuth state does not.*\. Instead, start the social sign-in/],
	])("%s is refused, with the reason and what to do instead", async (id, plugin, sentence) => {
		const { auth } = await makeInstance({ plugins: [plugin] });
		await expect(auth.$context).rejects.toThrow(sentence);
		await expect(auth.$context).rejects.toThrow(`the plugin ${id} cannot be used with it`);
	});

	it.each<[string, Partial<Parameters<typeof oauthProvider>[0]>, RegExp]>([
		[
			"cached clients",
			{ cachedTrustedClients: new Set(["client"]) },
			/cachedTrustedClients keeps clients in memory.*\. Instead, remove the option/,
		],
		[
			"client discovery",
			{
				extensions: [
					{ clientDiscovery: { id: "url", matches: () => true, resolve: async () => null } },
				],
			},
			/client discovery stores a client under its URL.*\. Instead, register the clients/,
		],
	])("oauth-provider with %s is refused", async (_, options, sentence) => {
		const provider = oauthProvider({ loginPage: "/login", consentPage: "/consent", ...options });
		const { auth } = await makeInstance({
			plugins: [jwt(), provider],
			disabledPaths: ["/token"],
		});
		await expect(auth.$context).rejects.toThrow(sentence);
	});

	it("oauth-provider with a client discovery of checkedPlugins is not", async () => {
		const clientDiscovery = { id: "own", matches: () => true, resolve: async () => null };
		const provider = oauthProvider({
			loginPage: "/login",
			consentPage: "/consent",
			extensions: [{ clientDiscovery: [clientDiscovery] }],
		});
		const { auth } = await makeInstance({
			plugins: [jwt(), provider],
			disabledPaths: ["/token"],
			tenants: { checkedPlugins: ["own"] },
		});
		await expect(auth.$context).resolves.toBeDefined();
	});

	const endpoint = createAuthEndpoint("/app", { method: "GET" }, async () => null);
	const withEndpoint: BetterAuthPlugin = { id: "app", endpoints: { endpoint } };
	const withTable: BetterAuthPlugin = { id: "shop", schema: { order: { fields: {} } } };

	it("a plugin that nobody has checked is named in a warning", async () => {
		expect(await logOf([withEndpoint, withTable])).toEqual([
			"tenantAuth: not tested with these plugins: app, shop. Check them with assertTenantIsolation, then name them in checkedPlugins",
		]);
	});

	it("a plugin of checkedPlugins is not", async () => {
		expect(await logOf([withEndpoint], { checkedPlugins: ["app"] })).toEqual([]);
	});

	it("a plugin with nothing but hooks is not", async () => {
		expect(await logOf([{ id: "hooks", hooks: { after: [] } }])).toEqual([]);
	});

	it("a supported plugin is not", async () => {
		expect(await logOf(Object.values(everyPlugin).map((create) => create()))).toEqual([]);
	});
});
