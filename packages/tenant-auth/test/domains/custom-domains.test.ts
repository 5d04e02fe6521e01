import { randomUUID } from "node:crypto";
import { betterAuth } from "better-auth";
import { magicLink } from "better-auth/plugins";
import { fastStatements } from "better-auth-fast";
import { tenantAuth, tenantHosts } from "better-auth-tenant";
import { tenantDomains } from "better-auth-tenant/domains";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import type { OpenDatabase } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { expectRefusal } from "../support/http/refusal";
import { useIdentityProvider } from "../support/providers/identity-provider";
import {
	ACME,
	credentials,
	customDomainHosts,
	GLOBEX,
	hostOf,
	makeCustomDomain,
	makeTwoCustomDomains,
	PENDING,
} from "../support/worlds/custom-domains";
import { EMAIL, type Instance, makeInstance, ORIGIN } from "../support/worlds/instance";

const gitlab = useIdentityProvider("gitlab");

/** Signing in at a tenant's own domain, on any database. */
describe.each(eachDatabase)("custom domains on %s", (_, open) => {
	let on: OpenDatabase;
	let app: Instance;
	let acme: string;
	let globex: string;
	let links: string[];
	let at: Awaited<ReturnType<typeof makeTwoCustomDomains>>["at"];

	beforeAll(async () => {
		on = await open();
		({ app, acme, globex, links, at } = await makeTwoCustomDomains(on, gitlab));
	});

	afterAll(() => on.close());

	const signIn = (origin: string) => at(origin, "/sign-in/email", { body: credentials });

	describe("a verified login domain", () => {
		it("is the host of its tenant, whatever header, body or query name", async () => {
			const { body } = await at(ACME, "/tenant/sign-in/email", {
				body: credentials,
				tenant: globex,
			});
			expect(body.session.tenantId).toBe(acme);
			const { cookie } = await signIn(ACME);
			const read = await at(ACME, "/get-session", { cookie, tenant: globex });
			expect(read.body.session.tenantId).toBe(acme);
			expectRefusal(
				await at(ACME, "/tenant/sign-in/email", { body: { ...credentials, tenantId: globex } }),
				404,
				"TENANT_NOT_FOUND",
			);
			expectRefusal(
				await at(ACME, "/tenant/login-options", { query: { tenantId: globex } }),
				404,
				"TENANT_NOT_FOUND",
			);
		});

		it("does not accept the session of another tenant, which stays valid in its own", async () => {
			const { cookie } = await signIn(GLOBEX);
			expect((await at(ACME, "/get-session", { cookie })).body).toBeNull();
			expect((await at(GLOBEX, "/get-session", { cookie })).body.session.tenantId).toBe(globex);
		});

		it("is a trusted origin at itself only", async () => {
			const { cookie } = await signIn(ACME);
			const change = { body: { name: "New" }, cookie };
			expect((await at(ACME, "/update-user", change)).status).toBe(200);
			for (const origin of [GLOBEX, PENDING, "http://evil.example"]) {
				expect((await at(ACME, "/update-user", { ...change, headers: { origin } })).status).toBe(
					403,
				);
			}
			const there = await at(ORIGIN, "/update-user", { ...change, headers: { origin: ACME } });
			expect(there.status).toBe(403);
		});

		it("redirects to itself only", async () => {
			for (const redirectTo of [
				`${GLOBEX}/x`,
				`${PENDING}/x`,
				"http://evil.example",
				"//evil.example",
			]) {
				const body = { email: EMAIL, redirectTo };
				expect((await at(ACME, "/request-password-reset", { body })).status).toBe(403);
				const social = { provider: "gitlab", callbackURL: redirectTo };
				expect((await at(ACME, "/tenant/sign-in/social", { body: social })).status).toBe(403);
			}
		});

		it("is where the links in emails lead, also if the call came to the platform", async () => {
			links.length = 0;
			const body = { email: EMAIL, redirectTo: "/reset" };
			await at(ACME, "/request-password-reset", { body });
			await at(ORIGIN, "/request-password-reset", { body, tenant: acme });
			await at("http://acme.localhost:3000", "/request-password-reset", { body });
			expect(links).toHaveLength(3);
			for (const link of notEmpty(links)) expect(link).toMatch(`${ACME}/api/auth/reset-password/`);
			const opened = await app.call(String(links[1]));
			expect(opened.headers.get("location")).toMatch(/\/reset\?token=/);
			links.length = 0;
			const elsewhere = { email: EMAIL, redirectTo: `${ORIGIN}/reset` };
			await at(ORIGIN, "/request-password-reset", { body: elsewhere, tenant: acme });
			expect(links[0]).toMatch(`${ORIGIN}/api/auth/reset-password/`);
		});

		it("does not count from the moment that it is removed", async () => {
			const origin = "http://login.gone.example:3000";
			const { body } = await app.addDomain(acme, hostOf(origin));
			expect((await signIn(origin)).status).toBe(200);
			await app.manage("/tenant/domain/remove", { body: { tenantId: acme, domainId: body.id } });
			expectRefusal(await signIn(origin), 404, "TENANT_NOT_FOUND");
		});

		it("admits nobody while its tenant is suspended", async () => {
			const tenantId = await app.makeTenant();
			await app.addDomain(tenantId, "login.closed.example");
			await app.manage("/tenant/suspend", { body: { tenantId } });
			expectRefusal(await signIn("http://login.closed.example:3000"), 403, "TENANT_SUSPENDED");
		});
	});

	describe("another host", () => {
		it.each([
			PENDING,
			"http://evil.example:3000",
			"http://login.acme.example",
			"http://login.acme.example:4000",
			"http://login.acme.example.:3000",
			"http://x.login.acme.example:3000",
			"http://acme.example:3000",
			"http://127.0.0.1:3000",
		])("%s gets 404, and no email is sent", async (origin) => {
			links.length = 0;
			for (const path of ["/request-password-reset", "/sign-in/email", "/tenant/sign-in/email"]) {
				const body = path.includes("reset") ? { email: EMAIL } : credentials;
				for (const tenant of [acme, ""]) {
					const answer = await at(origin, path, { body, ...(tenant ? { tenant } : {}) });
					expectRefusal(answer, 404, "TENANT_NOT_FOUND");
				}
			}
			expect(links).toEqual([]);
		});

		it.each([
			["host", "evil.example:3000"],
			["host", "login.pending.example:3000"],
			["host", "login.globex.example:3000, login.acme.example:3000"],
			["host", "login.acme.example:3000@evil.example"],
		])("in the header %s (%s) does not get into a link", async (name, value) => {
			links.length = 0;
			const answer = await at(ACME, "/request-password-reset", {
				body: { email: EMAIL },
				headers: { [name]: value },
			});
			expect(answer.status).toBeGreaterThanOrEqual(400);
			expect(links).toEqual([]);
		});

		it("in x-forwarded-host does not count, because no proxy is trusted", async () => {
			links.length = 0;
			await at(ACME, "/request-password-reset", {
				body: { email: EMAIL },
				headers: { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" },
			});
			expect(links).toHaveLength(1);
			expect(links[0]).toMatch(ACME);
		});
	});
});

describe("the links of other emails", () => {
	it("lead to the tenant's primary domain, unless they go on to another host", async () => {
		const links: string[] = [];
		const plugin = magicLink({ sendMagicLink: ({ url }) => void links.push(url) });
		const app = await makeCustomDomain(gitlab, {
			plugins: [plugin],
			tenants: { hosts: customDomainHosts() },
			invitations: { sendInvitation: async ({ url }) => void links.push(url) },
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
		for (const link of notEmpty(links))
			expect(link).toMatch(`${ACME}/api/auth/magic-link/verify?token=`);
		expect(links).toHaveLength(3);
		const opened = await call(String(links[0]));
		expect(opened.headers.get("location")).toBe(`${ACME}/home`);
		expect(opened.cookie).toMatch(/session_token/);
		links.length = 0;
		await ask(ORIGIN, { callbackURL: `${ORIGIN}/home` }, tenantId);
		await ask(ORIGIN, { callbackURL: "/", errorCallbackURL: `${ORIGIN}/oops` }, tenantId);
		await ask(ORIGIN, {});
		for (const link of notEmpty(links))
			expect(link).toMatch(`${ORIGIN}/api/auth/magic-link/verify?token=`);
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
	it.each([
		["one statement more", 1, []],
		["no statement more, with fastStatements(),", 0, [fastStatements()]],
	])("costs %s than one that names the tenant in a header", async (_, more, plugins) => {
		const options = { plugins, pluginsFirst: true };
		const { call, statements, tenantId, signUp } = await makeCustomDomain(gitlab, options);
		const { cookie } = await signUp(tenantId);
		const count = async (origin: string, tenant?: string) => {
			statements.length = 0;
			const headers = { origin };
			const url = `${origin}/api/auth/get-session`;
			const { body } = await call(url, { cookie, headers, ...(tenant ? { tenant } : {}) });
			expect(body.session.tenantId).toBe(tenantId);
			return statements.length;
		};
		expect(await count(ACME)).toBe((await count(ORIGIN, tenantId)) + more);
	});
});

describe("tenantHosts({ customDomains: true })", () => {
	it("cannot be used together with findTenant", () => {
		expect(() =>
			tenantHosts({ domain: "example.com", customDomains: true, findTenant: () => null }),
		).toThrow("either customDomains or findTenant");
	});

	it("stops the start without a plugin that knows the domains", async () => {
		const { auth } = await makeInstance({
			tenants: { hosts: customDomainHosts() },
			features: false,
		});
		await expect(auth.$context).rejects.toThrow(
			"Add tenantDomains() of better-auth-tenant/domains",
		);
	});

	it("trusts x-forwarded-host only if the app trusts its proxy", async () => {
		const forwarded = { "x-forwarded-host": "login.acme.example:3000", host: "localhost:3000" };
		const app = await makeCustomDomain(gitlab);
		const trusting = betterAuth({
			...app.options,
			plugins: [tenantAuth({ hosts: customDomainHosts() }), tenantDomains()],
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
