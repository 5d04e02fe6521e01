import { randomUUID } from "node:crypto";
import { tenantHosts } from "better-auth-tenant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Browser } from "./browser";
import { cheapPasswords } from "./cheap-passwords";
import type { OpenDatabase } from "./databases";
import { useIdentityProvider } from "./identity-provider";
import { EMAIL, type Instance, makeInstance, ORIGIN, PASSWORD } from "./instance";
import { expectRefusal } from "./refusal";
import { askSocialSignIn, hostProvider, readSession } from "./social-app";

const ACME = "http://login.acme.example:3000";
const GLOBEX = "http://login.globex.example:3000";
const PENDING = "http://login.pending.example:3000";
const PLATFORM_CALLBACK = `${ORIGIN}/api/auth/tenant/callback/gitlab`;

const user = { name: "Ada", email: EMAIL, password: PASSWORD };
const credentials = { email: EMAIL, password: PASSWORD };
const hostOf = (origin: string) => new URL(origin).hostname;

/** Signing in at a tenant's own domain, on any database. */
export function describeCustomDomains(open: () => Promise<OpenDatabase>): void {
	const gitlab = useIdentityProvider("gitlab");
	const links: string[] = [];
	const hosts = tenantHosts({ domain: "localhost:3000", customDomains: { appProviders: true } });
	let on: OpenDatabase;
	let app: Instance;
	let acme: string;
	let globex: string;

	beforeAll(async () => {
		on = await open();
		const { db, type, pool } = on;
		const client = await gitlab.addClient({ redirectURIs: [PLATFORM_CALLBACK] });
		const send = async ({ url }: { url: string }) => void links.push(url);
		app = await makeInstance({
			on: { db, type, ...(pool ? { pool } : {}) },
			tenants: { hosts, allowPrivateProviderHosts: true },
			emailAndPassword: { ...cheapPasswords, enabled: true, sendResetPassword: send },
			emailVerification: { sendVerificationEmail: send },
			socialProviders: hostProvider("gitlab", gitlab, client),
			account: { accountLinking: { enabled: true } },
		});
		acme = await app.makeTenant("acme");
		globex = await app.makeTenant("globex");
		await app.addDomain(acme, hostOf(ACME));
		await app.addDomain(globex, hostOf(GLOBEX));
		const body = { tenantId: acme, host: hostOf(PENDING), purpose: "login" };
		await app.manage("/tenant/domain/add", { body });
		for (const origin of [ACME, GLOBEX]) await at(origin, "/tenant/sign-up/email", { body: user });
	});

	afterAll(() => on.close());

	const at = (origin: string, path: string, given: Parameters<Instance["call"]>[1] = {}) =>
		app.call(`${origin}/api/auth${path}`, {
			...given,
			headers: { ...(given.cookie ? { origin } : {}), ...given.headers },
		});
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
			for (const link of links) expect(link).toMatch(`${ACME}/api/auth/reset-password/`);
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

	describe("a social sign-in at a custom domain", () => {
		const browserAt = (origin: string) =>
			new Browser({
				baseURL: `${origin}/api/auth`,
				handler: app.auth.handler,
				otherOrigins: [ORIGIN, ACME, GLOBEX],
			});
		const newPerson = () => gitlab.addPerson({ email: `${randomUUID()}@example.com` });
		const isHandOver = (url: URL) => url.pathname.endsWith("/tenant/hand-over");
		const isPlatform = (url: URL) => url.origin === ORIGIN;

		async function begin(origin: string, browser = browserAt(origin)) {
			const response = await askSocialSignIn(browser, {
				provider: "gitlab",
				callbackURL: "/home",
				errorCallbackURL: "/failed",
			});
			const { url }: { url: string } = await response.json();
			return { browser, url };
		}

		/** Follows a flow as far as the hand-over. */
		async function untilHandOver(origin: string) {
			const { browser, url } = await begin(origin);
			const visit = await browser.follow(url, { as: newPerson(), until: isHandOver });
			return { browser, handOver: visit.url, visit };
		}

		it("goes through the callback of the platform, and ends at the domain with a session", async () => {
			const { browser, url } = await begin(ACME);
			expect(new URL(url).searchParams.get("redirect_uri")).toBe(PLATFORM_CALLBACK);
			const person = newPerson();
			const visit = await browser.follow(url, { as: person });
			expect(visit.url.href).toBe(`${ACME}/home`);
			const session = await readSession(browser);
			expect(session).toMatchObject({
				user: { email: person.email, tenantId: acme },
				session: { tenantId: acme },
			});
			expect(visit.visited.filter(isPlatform).map(({ pathname }) => pathname)).toEqual([
				"/api/auth/tenant/callback/gitlab",
			]);
			expect(browser.cookies.list(ORIGIN)).toEqual([]);
			const urls = visit.visited.map(({ href }) => href).join(" ");
			const [cookie] = browser.cookies.list(ACME).filter(({ name }) => /session_token/.test(name));
			expect(cookie?.value).toBeTruthy();
			expect(urls).not.toContain(String(cookie?.value).split(".")[0]);
		});

		it("tells the error page of the domain if the provider refuses", async () => {
			const { browser, url } = await begin(ACME);
			const visit = await browser.follow(url, { as: newPerson(), consent: "deny" });
			expect(visit.url.href).toMatch(`${ACME}/failed?error=access_denied`);
			expect(await readSession(browser)).toBeNull();
		});

		it("is not finished in another browser, and its code is used up there", async () => {
			const { browser, handOver } = await untilHandOver(ACME);
			const other = browserAt(ACME);
			const visit = await other.follow(handOver);
			expect(visit.url.searchParams.get("error")).toBe("invalid_hand_over");
			expect(await readSession(other)).toBeNull();
			const late = await browser.follow(handOver);
			expect(late.url.searchParams.get("error")).toBe("invalid_hand_over");
			expect(await readSession(browser)).toBeNull();
		});

		it("is not finished in a browser that has started another one", async () => {
			const attacker = await untilHandOver(ACME);
			const victim = await begin(ACME);
			const visit = await victim.browser.follow(attacker.handOver);
			expect(visit.url.searchParams.get("error")).toBe("invalid_hand_over");
			expect(await readSession(victim.browser)).toBeNull();
		});

		it("is finished once, also by two requests at once", async () => {
			const { browser, handOver } = await untilHandOver(ACME);
			const path = `/tenant/hand-over${handOver.search}`;
			const answers = await Promise.all([browser.fetch(path), browser.fetch(path)]);
			const locations = answers.map(({ headers }) => headers.get("location") ?? "");
			expect(locations.filter((location) => location.endsWith("/home"))).toHaveLength(1);
			const again = await browser.follow(handOver);
			expect(again.url.searchParams.get("error")).toBe("invalid_hand_over");
		});

		it("is not finished at the host of another tenant, nor at another host of its own", async () => {
			for (const origin of [GLOBEX, "http://acme.localhost:3000", ORIGIN]) {
				const { browser, handOver } = await untilHandOver(ACME);
				const cookie = browser.cookies
					.list(ACME)
					.map(({ name, value }) => `${name}=${value}`)
					.join("; ");
				const answer = await app.call(`${origin}/api/auth/tenant/hand-over${handOver.search}`, {
					cookie,
				});
				expect([origin, answer.headers.get("location")]).toEqual([
					origin,
					expect.stringContaining("error=invalid_hand_over"),
				]);
				expect(answer.cookie).toBe("");
			}
		});

		it("is not finished after a minute", async () => {
			const { browser, handOver } = await untilHandOver(ACME);
			const expiresAt = new Date(Date.now() - 1000);
			const { adapter } = await app.auth.$context;
			const { runAcrossTenants } = await import("better-auth-tenant");
			const rows = await runAcrossTenants(() =>
				adapter.findMany<{ id: string; identifier: string; value: string; expiresAt: Date }>({
					model: "verification",
					where: [
						{ field: "identifier", operator: "starts_with", value: "tenant-hand-over:" },
						{ field: "tenantId", value: acme },
					],
				}),
			);
			const code = String(handOver.searchParams.get("code"));
			expect(JSON.stringify(rows)).not.toContain(code);
			for (const row of rows) {
				expect(row.expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 60_000);
				await runAcrossTenants(() =>
					adapter.update({
						model: "verification",
						where: [{ field: "id", value: row.id }],
						update: { expiresAt },
					}),
				);
			}
			const visit = await browser.follow(handOver);
			expect(visit.url.searchParams.get("error")).toBe("invalid_hand_over");
		});

		it("is not handed over to a domain that the tenant has lost meanwhile", async () => {
			const origin = "http://login.lost.example:3000";
			const { body } = await app.addDomain(acme, hostOf(origin));
			const { browser, url } = await begin(origin);
			const isCallback = ({ pathname }: URL) => pathname.includes("/callback/");
			const { url: callback } = await browser.follow(url, { as: newPerson(), until: isCallback });
			await app.manage("/tenant/domain/remove", { body: { tenantId: acme, domainId: body.id } });
			await app.addDomain(globex, hostOf(origin));
			const visit = await browser.follow(callback);
			expect(visit.url.origin).toBe(ORIGIN);
			expect(visit.url.searchParams.get("error")).toBe("domain_not_verified");
		});

		it("is not finished if the tenant is suspended meanwhile", async () => {
			const origin = "http://login.paused.example:3000";
			const tenantId = await app.makeTenant();
			await app.addDomain(tenantId, hostOf(origin));
			const suspend = () => app.manage("/tenant/suspend", { body: { tenantId } });
			const isCallback = ({ pathname }: URL) => pathname.includes("/callback/");
			for (const until of [isCallback, isHandOver]) {
				await app.manage("/tenant/resume", { body: { tenantId } });
				const { browser, url } = await begin(origin);
				const stop = await browser.follow(url, { as: newPerson(), until });
				await suspend();
				const visit = await browser.follow(stop.url);
				expect(visit.url.searchParams.get("error")).toBeTruthy();
				await app.manage("/tenant/resume", { body: { tenantId } });
				expect(await readSession(browser)).toBeNull();
			}
		});

		it("changes nothing for a sign-in that started at the platform", async () => {
			const browser = browserAt(ORIGIN);
			const response = await askSocialSignIn(browser, {
				tenantId: acme,
				provider: "gitlab",
				callbackURL: "/home",
			});
			const { url }: { url: string } = await response.json();
			const visit = await browser.follow(url, { as: newPerson() });
			expect(visit.url.href).toBe(`${ORIGIN}/home`);
			expect(await readSession(browser)).toMatchObject({ session: { tenantId: acme } });
			expect(visit.visited.some(isHandOver)).toBe(false);
		});

		it("links an account to the user who is signed in at the domain", async () => {
			const browser = browserAt(ACME);
			const email = `${randomUUID()}@example.com`;
			await browser.fetch("/tenant/sign-up/email", { body: { ...user, email } });
			const response = await browser.fetch("/link-social", {
				body: { provider: "gitlab", callbackURL: "/linked" },
			});
			const { url }: { url: string } = await response.json();
			const visit = await browser.follow(url, { as: gitlab.addPerson({ email }) });
			expect(visit.url.href).toBe(`${ACME}/linked`);
			const accounts: { providerId: string }[] = await (
				await browser.fetch("/list-accounts")
			).json();
			expect(accounts.map(({ providerId }) => providerId).sort()).toEqual(["credential", "gitlab"]);
		});

		it("keeps to the redirect URI that the tenant has registered for its own client", async () => {
			const redirectURI = `${GLOBEX}/api/auth/tenant/callback/gitlab`;
			const { clientId, clientSecret } = await gitlab.addClient({ redirectURIs: [redirectURI] });
			const options = { issuer: gitlab.url };
			await app.manage("/tenant/oauth-config/register", {
				body: {
					tenantId: globex,
					providerId: "gitlab",
					clientId,
					clientSecret,
					redirectURI,
					options,
				},
			});
			const { browser, url } = await begin(GLOBEX);
			const visit = await browser.follow(url, { as: newPerson() });
			expect(visit.url.href).toBe(`${GLOBEX}/home`);
			expect(visit.visited.filter(isPlatform)).toEqual([]);
			expect(await readSession(browser)).toMatchObject({ session: { tenantId: globex } });
			await app.manage("/tenant/oauth-config/delete", {
				body: { tenantId: globex, providerId: "gitlab" },
			});
		});
	});
}
