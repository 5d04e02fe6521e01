import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Browser } from "../support/http/browser";
import { type RogueProvider, startRogueProvider } from "../support/providers/rogue-provider";
import { MANAGEMENT_KEY } from "../support/worlds/instance";
import {
	askSocialSignIn,
	beginSocial,
	makeSocialApp,
	readSession,
	type SocialApp,
} from "../support/worlds/social-app";

const provider = "oidc:acme";

describe("an app that has removed tenantOpenId()", () => {
	let rogue: RogueProvider;
	let withPlugin: SocialApp;
	let without: SocialApp;
	let current: SocialApp;
	let app: SocialApp;
	let tenantId: string;

	beforeAll(async () => {
		rogue = await startRogueProvider();
		withPlugin = await makeSocialApp();
		without = await makeSocialApp({ sqlite: withPlugin.database, openId: false });
		app = { ...withPlugin, handler: (request) => current.handler(request) };
	});
	afterAll(() => rogue?.close());

	const config = () => ({
		tenantId,
		providerId: provider,
		clientId: "client",
		clientSecret: "secret",
		options: { issuer: rogue.issuer },
	});

	beforeEach(async () => {
		current = withPlugin;
		tenantId = await withPlugin.createTenant();
		await withPlugin.registerConfig(config());
	});

	async function manage(path: string, body?: object) {
		const response = await app.handler(
			new Request(`${app.baseURL}/tenant/${path}`, {
				method: body ? "POST" : "GET",
				headers: {
					"content-type": "application/json",
					"x-tenant-id": tenantId,
					authorization: `Bearer ${MANAGEMENT_KEY}`,
				},
				...(body ? { body: JSON.stringify(body) } : {}),
			}),
		);
		return { status: response.status, body: JSON.parse((await response.text()) || "null") };
	}

	const providersOf = (list: { providerId: string }[]) => list.map(({ providerId }) => providerId);

	it("says which plugin is missing when a provider is registered", async () => {
		current = without;
		const { status, body } = await manage("oauth-config/register", config());
		expect([status, body.code]).toEqual([400, "TENANT_OPENID_REQUIRED"]);
		expect(body.message).toContain("tenantOpenId()");
	});

	it.each<[string, object]>([
		["other options", { options: { issuer: "https://idp.example.com" }, clientSecret: "new" }],
		["another secret", { clientSecret: "new" }],
		["a disabled one that is enabled", { enabled: true }],
	])("says so for a change to %s", async (_, change) => {
		current = without;
		const { status, body } = await manage("oauth-config/update", {
			providerId: provider,
			...change,
		});
		expect([status, body.code]).toEqual([400, "TENANT_OPENID_REQUIRED"]);
	});

	it("still rejects an id that is not one", async () => {
		current = without;
		const { body } = await manage("oauth-config/register", { ...config(), providerId: "oidc:A" });
		expect(body.code).toBe("UNSUPPORTED_PROVIDER");
	});

	it("has no endpoint that tests a config", async () => {
		current = without;
		expect((await manage("oauth-config/test", { providerId: provider })).status).toBe(404);
	});

	it("does not offer the stored provider, and lists and deletes its config", async () => {
		expect((await manage("login-options")).body.providers).toEqual([provider]);
		current = without;
		expect((await manage("login-options")).body.providers).toEqual([]);
		expect(providersOf((await manage("oauth-config/effective")).body)).not.toContain(provider);
		expect(providersOf((await manage("oauth-config/list")).body)).toEqual([provider]);
		expect((await manage("oauth-config/delete", { providerId: provider })).status).toBe(200);
		expect((await manage("oauth-config/list")).body).toEqual([]);
	});

	it("does not accept the provider in a policy", async () => {
		const policy = { signIn: { providers: [provider] } };
		expect((await manage("policy/update", policy)).status).toBe(200);
		current = without;
		expect((await manage("policy/update", policy)).body.code).toBe("INVALID_POLICY");
	});

	it("starts no sign-in, and asks the provider nothing", async () => {
		current = without;
		rogue.requests.length = 0;
		const response = await askSocialSignIn(new Browser(app), { tenantId, provider });
		expect([response.status, (await response.json()).code]).toEqual([404, "PROVIDER_NOT_FOUND"]);
		expect(rogue.requests).toEqual([]);
	});

	it("finishes no sign-in that has started before, and sends the code nowhere", async () => {
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const state = String(new URL(url).searchParams.get("state"));
		const answer = new URLSearchParams({ code: "code", state });
		current = without;
		rogue.requests.length = 0;
		const visit = await browser.follow(`${app.callbackOf(provider, tenantId)}?${answer}`);
		expect(visit.url.pathname).toBe("/failed");
		expect(visit.url.searchParams.get("error")).toBe("oauth_config_changed");
		expect(rogue.requests).toEqual([]);
		expect(await readSession(browser)).toBeNull();
	});

	it("keeps users signed in, lets them sign out, and gives away no tokens", async () => {
		const { browser } = await rogue.signIn(app, tenantId, provider);
		current = without;
		const session = await readSession(browser);
		expect(session?.user.tenantId).toBe(tenantId);
		const accounts = await (await browser.fetch("/list-accounts")).json();
		const [{ id: accountId }] = accounts as [{ id: string }];
		const info = await browser.fetch(`/account-info?accountId=${accountId}`);
		expect(info.ok).toBe(false);
		const signOut = await browser.fetch("/sign-out", { body: {} });
		expect(signOut.status).toBe(200);
		expect(await signOut.json()).toEqual({ success: true });
	});
});
