import { randomUUID } from "node:crypto";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import { magicLink } from "better-auth/plugins";
import {
	type TenantAuthOptions,
	type TenantHostsOptions,
	tenantAuth,
	tenantHosts,
} from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { Browser } from "../support/browser";
import { describeCustomDomains } from "../support/custom-domain-behaviors";
import { openSqlite } from "../support/databases";
import { useIdentityProvider } from "../support/identity-provider";
import { makeInstance, ORIGIN } from "../support/instance";
import { makeMemoryStorage } from "../support/memory-storage";
import { askSocialSignIn, hostProvider, readSession } from "../support/social-app";

describe("custom domains on SQLite", () => describeCustomDomains(openSqlite));

const ACME = "http://login.acme.example:3000";
const callbackAt = (origin: string) => `${origin}/api/auth/tenant/callback/gitlab`;
const gitlab = useIdentityProvider("gitlab");
const hosts = (customDomains: TenantHostsOptions["customDomains"] = { appProviders: true }) =>
	tenantHosts({ domain: "localhost:3000", customDomains });

interface AppOptions extends Pick<BetterAuthOptions, "account" | "secondaryStorage" | "plugins"> {
	tenants?: TenantAuthOptions;
}

async function makeApp({ tenants, ...options }: AppOptions = {}) {
	const client = await gitlab.addClient({ redirectURIs: [callbackAt(ORIGIN), callbackAt(ACME)] });
	const app = await makeInstance({
		...options,
		tenants: { hosts: hosts(), ...tenants },
		socialProviders: hostProvider("gitlab", gitlab, client),
	});
	const tenantId = await app.makeTenant("acme");
	await app.addDomain(tenantId, new URL(ACME).hostname);
	const browser = new Browser({
		baseURL: `${ACME}/api/auth`,
		handler: app.auth.handler,
		otherOrigins: [ORIGIN],
	});
	const begin = async () => {
		const body = { provider: "gitlab", callbackURL: "/home" };
		const response = await askSocialSignIn(browser, body);
		return ((await response.json()) as { url: string }).url;
	};
	return { ...app, tenantId, browser, begin };
}

const newPerson = () => gitlab.addPerson({ email: `${randomUUID()}@example.com` });

describe("a social sign-in at a custom domain", () => {
	it.each([
		["the database", {}, ORIGIN],
		["secondary storage", { secondaryStorage: makeMemoryStorage() }, ORIGIN],
		[
			"a cookie, which only its own host can read",
			{ account: { storeStateStrategy: "cookie" } },
			ACME,
		],
	] as const)("works with the state in %s", async (_, options, callback) => {
		const { browser, begin, tenantId } = await makeApp(options);
		const url = await begin();
		expect(new URL(url).searchParams.get("redirect_uri")).toBe(callbackAt(callback));
		const visit = await browser.follow(url, { as: newPerson() });
		expect(visit.url.href).toBe(`${ACME}/home`);
		expect(await readSession(browser)).toMatchObject({ session: { tenantId } });
	});

	it("is bound to the browser, also if the app does not check the state cookie", async () => {
		const { auth, browser, begin } = await makeApp({ account: { skipStateCookieCheck: true } });
		const isHandOver = (url: URL) => url.pathname.endsWith("/tenant/hand-over");
		const { url } = await browser.follow(await begin(), { as: newPerson(), until: isHandOver });
		const other = new Browser({ baseURL: `${ACME}/api/auth`, handler: auth.handler });
		const visit = await other.follow(url);
		expect(visit.url.searchParams.get("error")).toBe("invalid_hand_over");
		expect(await readSession(other)).toBeNull();
	});
});

/**
 * Whoever controls the DNS of a domain can lead anybody through a sign-in there, and then read the code
 * of the hand-over.
 */
describe("the app's own social providers at a custom domain", () => {
	const SUBDOMAIN = "http://acme.localhost:3000";
	const makeDefault = () =>
		makeApp({ tenants: { hosts: hosts(true), allowPrivateProviderHosts: true } });

	it("are not offered by default, and start nothing", async () => {
		const { call, tenantId, browser } = await makeDefault();
		const optionsAt = async (origin: string) => {
			const query = { tenantId };
			return (await call(`${origin}/api/auth/tenant/login-options`, { query })).body;
		};
		expect(await optionsAt(ACME)).toMatchObject({ providers: [] });
		expect((await optionsAt(ACME)).methods).not.toContain("social");
		for (const origin of [SUBDOMAIN, ORIGIN]) {
			expect(await optionsAt(origin)).toMatchObject({ providers: ["gitlab"] });
		}
		const body = { provider: "gitlab", callbackURL: "/home" };
		for (const path of ["/tenant/sign-in/social", "/sign-in/social"]) {
			expect((await browser.fetch(path, { body })).status).toBe(404);
			const elsewhere = await call(`${SUBDOMAIN}/api/auth${path}`, { body });
			expect(elsewhere.body.url).toMatch(gitlab.url);
		}
	});

	it("give no tokens to a session there, and link nothing", async () => {
		const { auth, browser, tenantId } = await makeDefault();
		const client = await gitlab.addClient({ redirectURIs: [callbackAt(SUBDOMAIN)] });
		const context = await auth.$context;
		const host = context.socialProviders.find(({ id }) => id === "gitlab");
		Object.assign(host?.options ?? {}, client);
		const subdomain = new Browser({ baseURL: `${SUBDOMAIN}/api/auth`, handler: auth.handler });
		const response = await askSocialSignIn(subdomain, { provider: "gitlab", callbackURL: "/home" });
		const { url }: { url: string } = await response.json();
		await subdomain.follow(url, { as: newPerson() });
		expect(await readSession(subdomain)).toMatchObject({ session: { tenantId } });
		const accounts: { id: string }[] = await (await subdomain.fetch("/list-accounts")).json();
		const body = { accountId: accounts[0]?.id };
		expect((await subdomain.fetch("/get-access-token", { body })).status).toBe(200);
		// The same session, as if the user had signed in there.
		const cookie = subdomain.cookies
			.list(SUBDOMAIN)
			.map(({ name, value }) => `${name}=${value}`)
			.join("; ");
		const at = (path: string, given: object) =>
			browser.fetch(path, { body: given, headers: { cookie } });
		expect((await at("/get-access-token", body)).status).toBe(400);
		expect((await at("/link-social", { provider: "gitlab", callbackURL: "/x" })).status).toBe(404);
	});

	it("do not stand in the way of the tenant's own client", async () => {
		const { manage, browser, begin, tenantId } = await makeDefault();
		const { clientId, clientSecret } = await gitlab.addClient({
			redirectURIs: [callbackAt(ORIGIN)],
		});
		const options = { issuer: gitlab.url };
		await manage("/tenant/oauth-config/register", {
			body: { tenantId, providerId: "gitlab", clientId, clientSecret, options },
		});
		const visit = await browser.follow(await begin(), { as: newPerson() });
		expect(visit.url.href).toBe(`${ACME}/home`);
		expect(await readSession(browser)).toMatchObject({ session: { tenantId } });
	});
});

describe("a tenant's own identity provider at a custom domain", () => {
	const openid = useIdentityProvider("openid");

	it("comes back through the callback of the tenant at the platform", async () => {
		const { manage, browser, tenantId } = await makeApp({
			tenants: { hosts: hosts(true), allowPrivateProviderHosts: true },
		});
		const callback = `${ORIGIN}/api/auth/tenant/callback/oidc:sso:${tenantId}`;
		const { clientId, clientSecret } = await openid.addClient({
			redirectURIs: [callback],
			authentication: "client_secret_basic",
		});
		const config = { tenantId, providerId: "oidc:sso", clientId, clientSecret };
		const body = { ...config, options: { issuer: openid.url } };
		expect((await manage("/tenant/oauth-config/register", { body })).status).toBe(200);
		const start = await askSocialSignIn(browser, { provider: "oidc:sso", callbackURL: "/home" });
		const { url }: { url: string } = await start.json();
		expect(new URL(url).searchParams.get("redirect_uri")).toBe(callback);
		const visit = await browser.follow(url, { as: openid.addPerson({ email: "o@example.com" }) });
		expect(visit.url.href).toBe(`${ACME}/home`);
		expect(await readSession(browser)).toMatchObject({ session: { tenantId } });
	});
});

describe("the links of other emails", () => {
	it("lead to the tenant's primary domain, unless they go on to another host", async () => {
		const links: string[] = [];
		const plugin = magicLink({ sendMagicLink: ({ url }) => void links.push(url) });
		const app = await makeApp({
			plugins: [plugin],
			tenants: { hosts: hosts(), sendInvitation: async ({ url }) => void links.push(url) },
		});
		const { call, manage, tenantId } = app;
		const email = "ada@example.com";
		const ask = (origin: string, body: object, tenant?: string) =>
			call(`${origin}/api/auth/sign-in/magic-link`, {
				body: { email, ...body },
				headers: { origin },
				...(tenant ? { tenant } : {}),
			});
		await ask(ORIGIN, { callbackURL: "/home" }, tenantId);
		await ask("http://acme.localhost:3000", {});
		await ask(ACME, {});
		for (const link of links) expect(link).toMatch(`${ACME}/api/auth/magic-link/verify?token=`);
		expect(links).toHaveLength(3);
		const opened = await call(String(links[0]));
		expect(opened.headers.get("location")).toBe(`${ACME}/home`);
		expect(opened.cookie).toMatch(/session_token/);
		links.length = 0;
		await ask(ORIGIN, { callbackURL: `${ORIGIN}/home` }, tenantId);
		await ask(ORIGIN, { callbackURL: "/", errorCallbackURL: `${ORIGIN}/oops` }, tenantId);
		await ask(ORIGIN, {});
		for (const link of links) expect(link).toMatch(`${ORIGIN}/api/auth/magic-link/verify?token=`);
		expect(links).toHaveLength(3);
		links.length = 0;
		const invite = (callbackURL: string) =>
			manage("/tenant/invitation/create", {
				body: { tenantId, email: `${randomUUID()}@example.com`, role: "member", callbackURL },
			});
		await invite("/join");
		await invite(`${ORIGIN}/join`);
		expect(links.map((link) => link.split("?")[0])).toEqual([`${ACME}/join`, `${ORIGIN}/join`]);
	});
});

describe("a request at a custom domain", () => {
	it("costs no statement more than one that names the tenant in a header", async () => {
		const { call, statements, tenantId, signUp } = await makeApp();
		const { cookie } = await signUp(tenantId);
		const count = async (origin: string, tenant?: string) => {
			statements.length = 0;
			const headers = { origin };
			const url = `${origin}/api/auth/get-session`;
			const { body } = await call(url, { cookie, headers, ...(tenant ? { tenant } : {}) });
			expect(body.session.tenantId).toBe(tenantId);
			return statements.length;
		};
		expect(await count(ACME)).toBe(await count(ORIGIN, tenantId));
	});
});

describe("tenantHosts({ customDomains: true })", () => {
	it("cannot be used together with findTenant", () => {
		expect(() =>
			tenantHosts({ domain: "example.com", customDomains: true, findTenant: () => null }),
		).toThrow("either customDomains or findTenant");
	});

	it("trusts x-forwarded-host only if the app trusts its proxy", async () => {
		const forwarded = { "x-forwarded-host": "login.acme.example:3000", host: "localhost:3000" };
		const app = await makeApp();
		const trusting = betterAuth({
			...app.options,
			plugins: [tenantAuth({ hosts: hosts() })],
			advanced: { trustedProxyHeaders: true },
		});
		const { cookie } = await app.signUp(app.tenantId);
		const request = () =>
			new Request(`${ORIGIN}/api/auth/tenant/login-options?slug=nobody`, {
				headers: { ...forwarded, cookie },
			});
		expect((await app.auth.handler(request())).status).toBe(404);
		const session = (handler: (request: Request) => Promise<Response>) =>
			handler(
				new Request(`${ORIGIN}/api/auth/get-session`, { headers: { ...forwarded, cookie } }),
			).then((response) => response.json());
		expect(await session(trusting.handler)).toMatchObject({
			session: { tenantId: app.tenantId },
		});
	});
});
