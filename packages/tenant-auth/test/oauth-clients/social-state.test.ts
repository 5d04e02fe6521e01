import { randomUUID } from "node:crypto";
import type { BetterAuthOptions } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";
import { getCurrentTenantId } from "better-auth-tenant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Browser } from "../support/browser";
import { type IdentityProvider, startIdentityProvider } from "../support/identity-provider";
import { makeMemoryStorage } from "../support/memory-storage";
import {
	addTenantAt,
	beginSocial,
	hostProvider,
	makeSocialApp,
	readSession,
} from "../support/social-app";

const provider = "gitlab";
const atCallback = (url: URL) => url.pathname.includes("/callback/");

type Storage = Pick<BetterAuthOptions, "account" | "secondaryStorage">;

const storages: [string, () => Storage][] = [
	["the database", () => ({})],
	["a cookie", () => ({ account: { storeStateStrategy: "cookie" } })],
	["secondary storage", () => ({ secondaryStorage: makeMemoryStorage() })],
];

describe.each(storages)("the state of a flow, kept in %s", (_, storage) => {
	let gitlab: IdentityProvider;
	let microsoft: IdentityProvider;

	beforeAll(async () => {
		gitlab = await startIdentityProvider("gitlab");
		microsoft = await startIdentityProvider("microsoft");
	});

	afterAll(async () => {
		await gitlab.close();
		await microsoft.close();
	});

	const newPerson = () => gitlab.addPerson({ email: `${randomUUID()}@example.com` });

	async function makeApp(options: Pick<BetterAuthOptions, "hooks"> = {}) {
		const client = await gitlab.addClient({
			redirectURIs: [
				"https://app.example.com/api/auth/callback/gitlab",
				"https://app.example.com/api/auth/tenant/callback/gitlab",
			],
		});
		return makeSocialApp({
			...storage(),
			...options,
			socialProviders: hostProvider("gitlab", gitlab, client),
		});
	}

	type App = Awaited<ReturnType<typeof makeApp>>;

	/** As far as the address that the provider sends the browser back to. */
	async function goToCallback(app: App, tenantId: string, body: Record<string, unknown> = {}) {
		const { browser, url } = await beginSocial(app, { tenantId, provider, ...body });
		const visit = await browser.follow(url, { as: newPerson(), until: atCallback });
		return { browser, callback: visit.url };
	}

	it("is bound to the browser: another one is refused with it", async () => {
		const app = await makeApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const { callback } = await goToCallback(app, tenantId);
		const other = new Browser(app);
		const visit = await other.follow(callback);
		expect(visit.url.searchParams.get("error")).toBe("state_mismatch");
		expect(await readSession(other)).toBeNull();
	});

	it("is bound to the browser: one that began a flow of its own is refused with it", async () => {
		const app = await makeApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const attacker = await goToCallback(app, tenantId);
		const victim = await goToCallback(app, tenantId);
		const visit = await victim.browser.follow(attacker.callback);
		expect(visit.url.searchParams.get("error")).toBe("state_mismatch");
		expect(await readSession(victim.browser)).toBeNull();
	});

	it("tells the tenant, though a hook of the host asked before and the browser is in another", async () => {
		const asked: (string | null)[] = [];
		const before = createAuthMiddleware(async (ctx) => {
			if (ctx.path === "/tenant/callback/:providerId") asked.push(await getCurrentTenantId());
		});
		const app = await makeApp({ hooks: { before } });
		const [first, second] = [
			await addTenantAt(app, "gitlab", gitlab),
			await addTenantAt(app, "gitlab", gitlab),
		];
		const { browser, url } = await beginSocial(app, { tenantId: first.tenantId, provider });
		await browser.follow(url, { as: newPerson() });
		const body = { tenantId: second.tenantId, provider, callbackURL: "/home" };
		const begun = await browser.fetch("/tenant/sign-in/social", { body });
		await browser.follow(((await begun.json()) as { url: string }).url, { as: newPerson() });
		expect((await readSession(browser))?.user.tenantId).toBe(second.tenantId);
		expect(asked.at(-1)).toBe(first.tenantId);
	});

	it("is used once: replayed, it is refused", async () => {
		const app = await makeApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const { browser, callback } = await goToCallback(app, tenantId);
		expect((await browser.follow(callback)).url.href).toBe(`${app.origin}/home`);
		const visit = await browser.follow(callback);
		expect(visit.url.searchParams.get("error")).toBe("state_mismatch");
	});

	it("is used once: replayed with its cookie, it makes no second session", async () => {
		const app = await makeApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const { browser, callback } = await goToCallback(app, tenantId);
		const kept = browser.cookies.header(callback, { crossSite: false, method: "GET" }) ?? "";
		await browser.follow(callback);
		const response = await app.handler(new Request(callback, { headers: { cookie: kept } }));
		expect(response.headers.get("location")).toContain("error=");
		expect(response.headers.getSetCookie().join()).not.toMatch(/session_token=[^;]/);
	});

	it("is bound to the provider: the callback of another one refuses it", async () => {
		const app = await makeApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		await addTenantAt(app, "microsoft", microsoft, { tenantId });
		const { browser, callback } = await goToCallback(app, tenantId);
		const visit = await browser.follow(callback.href.replace("/gitlab?", "/microsoft?"));
		expect(visit.url.pathname).toBe("/failed");
		expect(visit.url.searchParams.get("error")).toBe("oauth_config_changed");
		expect(await readSession(browser)).toBeNull();
	});

	it("is bound to the tenant: at the host's own callback it makes no session of the platform", async () => {
		const app = await makeApp();
		const tenantId = await app.createTenant();
		const { browser, callback } = await goToCallback(app, tenantId);
		await browser.follow(callback.href.replace("/tenant/callback/", "/callback/"));
		const session = await readSession(browser);
		expect(session === null || session.session.tenantId === tenantId).toBe(true);
	});

	it("of a sign-in to the platform is refused by the tenant's callback", async () => {
		const app = await makeApp();
		const browser = new Browser(app);
		const response = await browser.fetch("/sign-in/social", {
			body: { provider, callbackURL: "/home", errorCallbackURL: "/failed" },
		});
		const { url }: { url: string } = await response.json();
		const { url: callback } = await browser.follow(url, { as: newPerson(), until: atCallback });
		const visit = await browser.follow(callback.href.replace("/callback/", "/tenant/callback/"));
		expect(visit.url.searchParams.get("error")).toBeTruthy();
		expect(await readSession(browser)).toBeNull();
	});

	it("names the tenant: a header at the callback does not replace it", async () => {
		const app = await makeApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const other = await addTenantAt(app, "gitlab", gitlab);
		const { browser, callback } = await goToCallback(app, tenantId);
		const path = callback.href.slice(app.baseURL.length);
		const response = await browser.fetch(path, { headers: { "x-tenant-id": other.tenantId } });
		expect(response.headers.get("location")).toBe("/home");
		expect((await readSession(browser))?.session.tenantId).toBe(tenantId);
	});

	it("names the tenant: a query at the callback does not replace it", async () => {
		const app = await makeApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const other = await addTenantAt(app, "gitlab", gitlab);
		const { browser, callback } = await goToCallback(app, tenantId);
		const visit = await browser.follow(`${callback.href}&tenantId=${other.tenantId}`);
		expect(visit.url.href).toBe(`${app.origin}/home`);
		expect((await readSession(browser))?.session.tenantId).toBe(tenantId);
	});

	it("names the tenant: additionalData of the start does not replace it", async () => {
		const app = await makeApp();
		const { tenantId, client } = await addTenantAt(app, "gitlab", gitlab);
		const other = await addTenantAt(app, "gitlab", gitlab);
		const forged = { tenantId: other.tenantId, providerId: provider, clientId: client.clientId };
		const { browser, callback } = await goToCallback(app, tenantId, {
			additionalData: {
				...forged,
				serverContext: { ...forged, tenantAuth: forged },
				tenantAuth: forged,
				link: { email: "victim@example.com", userId: "victim" },
			},
		});
		await browser.follow(callback);
		expect((await readSession(browser))?.session.tenantId).toBe(tenantId);
	});

	it("names the tenant: resolveTenantId at the callback does not replace it", async () => {
		let resolved: string | undefined;
		const app = await makeSocialApp({
			...storage(),
			tenants: { resolveTenantId: () => resolved },
		});
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const other = await addTenantAt(app, "gitlab", gitlab);
		resolved = tenantId;
		const { browser, callback } = await goToCallback(app, tenantId);
		resolved = other.tenantId;
		await browser.follow(callback);
		resolved = undefined;
		expect((await readSession(browser))?.session.tenantId).toBe(tenantId);
	});

	it("names the tenant: a session of another tenant in the same browser does not replace it", async () => {
		const app = await makeApp();
		const one = await addTenantAt(app, "gitlab", gitlab);
		const other = await addTenantAt(app, "gitlab", gitlab);
		const { browser, callback } = await goToCallback(app, one.tenantId);
		await browser.follow(callback);
		const next = await beginSocial(app, { tenantId: other.tenantId, provider }, browser);
		await browser.follow(next.url, { as: newPerson() });
		expect((await readSession(browser))?.session.tenantId).toBe(other.tenantId);
	});
});
