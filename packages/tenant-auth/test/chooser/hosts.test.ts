import { tenantHosts } from "better-auth-tenant";
import { beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { Browser } from "../support/http/browser";
import { useIdentityProvider } from "../support/providers/identity-provider";
import { type ChooserApp, makeChooserApp } from "../support/worlds/chooser";
import { ORIGIN } from "../support/worlds/instance";
import { readSession } from "../support/worlds/social-app";

const ACME = "http://acme.localhost:3000";
const GLOBEX = "http://globex.localhost:3000";

const gitlab = useIdentityProvider("gitlab");

describe.each([
	["with one callback URL for all hosts", true],
	["with a callback URL for each host", false],
])("tenants by host name %s", (_, sharedCallback) => {
	let app: ChooserApp;
	let acme: string;
	let globex: string;

	beforeAll(async () => {
		const hosts = tenantHosts({ domain: "localhost:3000", sharedCallback });
		app = await makeChooserApp(gitlab, { tenants: { hosts } });
		acme = await app.makeTenant("acme");
		globex = await app.makeTenant("globex");
	});

	const newBrowser = () => app.newBrowser([ORIGIN, ACME, GLOBEX]);
	const at = (origin: string, { cookies }: Browser) => cookies.list(origin).map(({ name }) => name);

	/** The session that a browser has at a host. */
	async function sessionAt(origin: string, browser: Browser) {
		const url = new URL(`${origin}/api/auth/get-session`);
		const cookie = browser.cookies.header(url, { crossSite: false, method: "GET" }) ?? "";
		return (await app.call(url.href, { headers: { cookie } })).body;
	}

	it("the sign-in ends at the host of the chosen tenant, with its cookies only there", async () => {
		const person = app.newPerson();
		await app.addUser(acme, person);
		await app.addUser(globex, person);
		const { browser, token } = await app.toChooser(person, newBrowser());
		const { url } = await app.finish(browser, token, globex);
		expect(url.href).toBe(`${GLOBEX}/home`);
		expect(await sessionAt(GLOBEX, browser)).toMatchObject({ session: { tenantId: globex } });
		expect(at(ORIGIN, browser)).toEqual([]);
		expect(at(ACME, browser)).toEqual([]);
		expect(await readSession(browser)).toBeNull();
	});

	it("without a choice, it leads to the host of the one tenant", async () => {
		const person = app.newPerson();
		await app.addUser(acme, person);
		const { url, browser } = await app.signIn(person, newBrowser());
		expect(url.href).toBe(`${ACME}/home`);
		expect(await sessionAt(ACME, browser)).toMatchObject({ session: { tenantId: acme } });
	});

	it("an error leads to the page where the sign-in started", async () => {
		const { url } = await app.signIn(app.newPerson(), newBrowser());
		expect(url.href).toBe(`${ORIGIN}/sign-in?error=tenant_not_found`);
	});

	it("it does not start at the host of a tenant, and chooses nothing there", async () => {
		const browser = new Browser({ baseURL: `${ACME}/api/auth`, handler: app.auth.handler });
		const calls = [
			browser.fetch("/tenant/chooser/start", { body: { provider: "gitlab" } }),
			browser.fetch(`/tenant/chooser/list?token=chooser-${"x".repeat(32)}`),
			browser.fetch("/tenant/chooser/choose", { body: { token: "x", tenantId: acme } }),
		];
		for (const call of notEmpty(calls)) {
			const response = await call;
			const { code } = await response.json();
			expect([response.status, code]).toEqual([400, "TENANT_CHOOSER_NOT_HERE"]);
		}
	});

	it("another tenant's host does not take what is meant for one", async () => {
		const person = app.newPerson();
		await app.addUser(acme, person);
		// The callback of the platform may hand it over to the right host.
		const moves = [
			[GLOBEX, "/chooser/enter"],
			[ORIGIN, "/chooser/enter"],
			[GLOBEX, "/callback/gitlab"],
		] as const;
		for (const [origin, step] of notEmpty(moves)) {
			const browser = newBrowser();
			const { url } = await app.start(browser);
			const until = (next: URL) => next.origin === ACME && next.pathname.endsWith(step);
			const { url: stopped } = await browser.follow(url, { as: person, until });
			const moved = stopped.href.replace(ACME, origin);
			const visit = await browser.follow(moved);
			expect(visit.url.searchParams.get("error"), moved).toBeTruthy();
			for (const host of notEmpty([GLOBEX, ORIGIN, ACME])) {
				expect(await sessionAt(host, browser)).toBeNull();
			}
		}
	});

	it("a stolen link into the tenant is worth nothing in another browser", async () => {
		const person = app.newPerson();
		await app.addUser(acme, person);
		const browser = newBrowser();
		const { url } = await app.start(browser);
		const until = ({ pathname }: URL) => pathname.endsWith("/chooser/enter");
		const { url: stolen } = await browser.follow(url, { as: person, until });
		const other = newBrowser();
		const visit = await other.follow(stolen);
		expect(visit.url.searchParams.get("error")).toBe("invalid_choice");
		expect(await sessionAt(ACME, other)).toBeNull();
		// Its owner can still use it.
		await browser.follow(stolen);
		expect(await sessionAt(ACME, browser)).toMatchObject({ session: { tenantId: acme } });
	});
});
