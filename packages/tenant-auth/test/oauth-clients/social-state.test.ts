import { randomUUID } from "node:crypto";
import type { BetterAuthOptions } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";
import { getCurrentTenantId } from "better-auth-tenant";
import { expect } from "vitest";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { Browser } from "../support/http/browser";
import { useIdentityProvider } from "../support/providers/identity-provider";
import {
	addTenantAt,
	beginSocial,
	hostProvider,
	makeSocialApp,
	readSession,
	type SocialApp,
} from "../support/worlds/social-app";
import { describeVariations } from "../support/worlds/variations";
import { useWorld } from "../support/worlds/world";

const provider = "gitlab";
const atCallback = (url: URL) => url.pathname.includes("/callback/");

type Storage = Pick<BetterAuthOptions, "account" | "secondaryStorage">;

const storages: [string, () => Storage][] = [
	["the database", () => ({})],
	["a cookie", () => ({ account: { storeStateStrategy: "cookie" } })],
	["secondary storage", () => ({ secondaryStorage: makeMemoryStorage() })],
];

const gitlab = useIdentityProvider("gitlab");
const microsoft = useIdentityProvider("microsoft");

describeVariations("the state of a flow, stored in %s,", storages, (storage, it) => {
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

	const world = useWorld(async () => {
		const app = await makeApp();
		const { tenantId, client } = await addTenantAt(app, "gitlab", gitlab);
		const { tenantId: otherId } = await addTenantAt(app, "gitlab", gitlab);
		return { ...app, tenantId, client, otherId };
	});

	/** Follows the flow as far as the callback. */
	async function goToCallback(
		app: SocialApp,
		tenantId: string,
		body: Record<string, unknown> = {},
	) {
		const { browser, url } = await beginSocial(app, { tenantId, provider, ...body });
		const visit = await browser.follow(url, { as: newPerson(), until: atCallback });
		return { browser, callback: visit.url };
	}

	it("is rejected in another browser", async () => {
		const app = world();
		const { tenantId } = app;
		const { callback } = await goToCallback(app, tenantId);
		const other = new Browser(app);
		const visit = await other.follow(callback);
		expect(visit.url.searchParams.get("error")).toBe("state_mismatch");
		expect(await readSession(other)).toBeNull();
	});

	it("is rejected in a browser that started another flow", async () => {
		const app = world();
		const { tenantId } = app;
		const attacker = await goToCallback(app, tenantId);
		const victim = await goToCallback(app, tenantId);
		const visit = await victim.browser.follow(attacker.callback);
		expect(visit.url.searchParams.get("error")).toBe("state_mismatch");
		expect(await readSession(victim.browser)).toBeNull();
	});

	it("names the tenant, also if a hook of the app asked before and the browser has another session", async () => {
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

	it("is rejected if it is used again", async () => {
		const app = world();
		const { tenantId } = app;
		const { browser, callback } = await goToCallback(app, tenantId);
		expect((await browser.follow(callback)).url.href).toBe(`${app.origin}/home`);
		const visit = await browser.follow(callback);
		expect(visit.url.searchParams.get("error")).toBe("state_mismatch");
	});

	it("creates no second session if it is used again with its cookie", async () => {
		const app = world();
		const { tenantId } = app;
		const { browser, callback } = await goToCallback(app, tenantId);
		const kept = browser.cookies.header(callback, { crossSite: false, method: "GET" }) ?? "";
		await browser.follow(callback);
		const response = await app.handler(new Request(callback, { headers: { cookie: kept } }));
		expect(response.headers.get("location")).toContain("error=");
		expect(response.headers.getSetCookie().join()).not.toMatch(/session_token=[^;]/);
	});

	it("is rejected by the callback of another provider", async () => {
		const app = world();
		const { tenantId } = app;
		await addTenantAt(app, "microsoft", microsoft, { tenantId });
		const { browser, callback } = await goToCallback(app, tenantId);
		const visit = await browser.follow(callback.href.replace("/gitlab?", "/microsoft?"));
		expect(visit.url.pathname).toBe("/failed");
		expect(visit.url.searchParams.get("error")).toBe("oauth_config_changed");
		expect(await readSession(browser)).toBeNull();
	});

	it("creates no session of the platform at the callback of core", async () => {
		const app = world();
		const tenantId = await app.createTenant();
		const { browser, callback } = await goToCallback(app, tenantId);
		await browser.follow(callback.href.replace("/tenant/callback/", "/callback/"));
		const session = await readSession(browser);
		expect(session === null || session.session.tenantId === tenantId).toBe(true);
	});

	it("of a sign-in to the platform is rejected by the tenant callback", async () => {
		const app = world();
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

	it("names the tenant, and a header at the callback does not replace it", async () => {
		const app = world();
		const { tenantId, otherId } = app;
		const { browser, callback } = await goToCallback(app, tenantId);
		const path = callback.href.slice(app.baseURL.length);
		const response = await browser.fetch(path, { headers: { "x-tenant-id": otherId } });
		expect(response.headers.get("location")).toBe("/home");
		expect((await readSession(browser))?.session.tenantId).toBe(tenantId);
	});

	it("names the tenant, and a query at the callback does not replace it", async () => {
		const app = world();
		const { tenantId, otherId } = app;
		const { browser, callback } = await goToCallback(app, tenantId);
		const visit = await browser.follow(`${callback.href}&tenantId=${otherId}`);
		expect(visit.url.href).toBe(`${app.origin}/home`);
		expect((await readSession(browser))?.session.tenantId).toBe(tenantId);
	});

	it("names the tenant, and additionalData at the start does not replace it", async () => {
		const app = world();
		const { tenantId, client, otherId } = app;
		const forged = { tenantId: otherId, providerId: provider, clientId: client.clientId };
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

	it("names the tenant, and resolveTenantId at the callback does not replace it", async () => {
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

	it("names the tenant, and a session of another tenant does not replace it", async () => {
		const app = world();
		const { tenantId, otherId } = app;
		const { browser, callback } = await goToCallback(app, tenantId);
		await browser.follow(callback);
		const next = await beginSocial(app, { tenantId: otherId, provider }, browser);
		await browser.follow(next.url, { as: newPerson() });
		expect((await readSession(browser))?.session.tenantId).toBe(otherId);
	});
});
