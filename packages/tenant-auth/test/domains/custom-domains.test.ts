import { randomUUID } from "node:crypto";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import { tenantAuth, tenantHosts } from "better-auth-tenant";
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
const hosts = () => tenantHosts({ domain: "localhost:3000", customDomains: true });

async function makeApp(options: Pick<BetterAuthOptions, "account" | "secondaryStorage"> = {}) {
	const client = await gitlab.addClient({ redirectURIs: [callbackAt(ORIGIN), callbackAt(ACME)] });
	const app = await makeInstance({
		...options,
		tenants: { hosts: hosts() },
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
