import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import type { OpenDatabase } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { Browser } from "../support/http/browser";
import { useIdentityProvider } from "../support/providers/identity-provider";
import {
	ACME,
	callbackAt,
	GLOBEX,
	hostOf,
	makeCustomDomain,
	makeTwoCustomDomains,
	user,
} from "../support/worlds/custom-domains";
import { type Instance, ORIGIN } from "../support/worlds/instance";
import { askSocialSignIn, readSession } from "../support/worlds/social-app";

const gitlab = useIdentityProvider("gitlab");
const newPerson = () => gitlab.addPerson({ email: `${randomUUID()}@example.com` });

describe.each(eachDatabase)("a social sign-in at a custom domain on %s", (_, open) => {
	let on: OpenDatabase;
	let app: Instance;
	let acme: string;
	let globex: string;

	beforeAll(async () => {
		on = await open();
		({ app, acme, globex } = await makeTwoCustomDomains(on, gitlab));
	});

	afterAll(() => on.close());

	const browserAt = (origin: string) =>
		new Browser({
			baseURL: `${origin}/api/auth`,
			handler: app.auth.handler,
			otherOrigins: [ORIGIN, ACME, GLOBEX],
		});
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
		expect(new URL(url).searchParams.get("redirect_uri")).toBe(callbackAt(ORIGIN));
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
		for (const row of notEmpty(rows)) {
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
		const accounts: { providerId: string }[] = await (await browser.fetch("/list-accounts")).json();
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
		const { browser, begin, tenantId } = await makeCustomDomain(gitlab, options);
		const url = await begin();
		expect(new URL(url).searchParams.get("redirect_uri")).toBe(callbackAt(callback));
		const visit = await browser.follow(url, { as: newPerson() });
		expect(visit.url.href).toBe(`${ACME}/home`);
		expect(await readSession(browser)).toMatchObject({ session: { tenantId } });
	});

	it("is bound to the browser, also if the app does not check the state cookie", async () => {
		const { auth, browser, begin } = await makeCustomDomain(gitlab, {
			account: { skipStateCookieCheck: true },
		});
		const isHandOver = (url: URL) => url.pathname.endsWith("/tenant/hand-over");
		const { url } = await browser.follow(await begin(), { as: newPerson(), until: isHandOver });
		const other = new Browser({ baseURL: `${ACME}/api/auth`, handler: auth.handler });
		const visit = await other.follow(url);
		expect(visit.url.searchParams.get("error")).toBe("invalid_hand_over");
		expect(await readSession(other)).toBeNull();
	});
});
