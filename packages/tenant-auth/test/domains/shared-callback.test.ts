import { randomUUID } from "node:crypto";
import { tenantHosts } from "better-auth-tenant";
import { beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { Browser } from "../support/http/browser";
import { useIdentityProvider } from "../support/providers/identity-provider";
import { callbackAt } from "../support/worlds/custom-domains";
import { type Instance, makeInstance, ORIGIN } from "../support/worlds/instance";
import { askSocialSignIn, hostProvider, readSession } from "../support/worlds/social-app";

const ACME = "http://acme.localhost:3000";
const GLOBEX = "http://globex.localhost:3000";

const gitlab = useIdentityProvider("gitlab");
const newPerson = () => gitlab.addPerson({ email: `${randomUUID()}@example.com` });
const isHandOver = (url: URL) => url.pathname.endsWith("/tenant/hand-over");

describe("with one callback URL for all hosts, a social sign-in", () => {
	let app: Instance;
	let acme: string;

	const makeApp = async (sharedCallback: boolean) =>
		makeInstance({
			tenants: {
				hosts: tenantHosts({ domain: "localhost:3000", sharedCallback }),
				allowPrivateProviderHosts: true,
			},
			socialProviders: hostProvider(
				"gitlab",
				gitlab,
				await gitlab.addClient({ redirectURIs: [callbackAt(ORIGIN)] }),
			),
		});

	beforeAll(async () => {
		app = await makeApp(true);
		acme = await app.makeTenant("acme");
		await app.makeTenant("globex");
	});

	const browserAt = (origin: string, { auth } = app) =>
		new Browser({
			baseURL: `${origin}/api/auth`,
			handler: auth.handler,
			otherOrigins: [ORIGIN, ACME, GLOBEX],
		});

	async function begin(origin: string, browser = browserAt(origin)) {
		const response = await askSocialSignIn(browser, {
			provider: "gitlab",
			callbackURL: "/home",
			errorCallbackURL: "/failed",
		});
		const { url }: { url: string } = await response.json();
		return { browser, url };
	}

	const redirectUri = (url: string) => new URL(url).searchParams.get("redirect_uri");

	it("comes back to the platform, and ends at the host of its tenant with a session", async () => {
		const { browser, url } = await begin(ACME);
		expect(redirectUri(url)).toBe(callbackAt(ORIGIN));
		const person = newPerson();
		const visit = await browser.follow(url, { as: person });
		expect(visit.url.href).toBe(`${ACME}/home`);
		expect(await readSession(browser)).toMatchObject({
			user: { email: person.email, tenantId: acme },
			session: { tenantId: acme },
		});
		expect(browser.cookies.list(ORIGIN)).toEqual([]);
	});

	it("ends at the error page of the host if the provider refuses", async () => {
		const { browser, url } = await begin(ACME);
		const visit = await browser.follow(url, { as: newPerson(), consent: "deny" });
		expect(visit.url.href).toMatch(`${ACME}/failed?error=access_denied`);
		expect(await readSession(browser)).toBeNull();
	});

	it("is finished in its own browser only, and at its own host only", async () => {
		for (const origin of notEmpty([ACME, GLOBEX, ORIGIN])) {
			const { browser, url } = await begin(ACME);
			const { url: handOver } = await browser.follow(url, { as: newPerson(), until: isHandOver });
			const other = browserAt(origin);
			const visit = await other.follow(`${origin}${handOver.pathname}${handOver.search}`);
			expect(visit.url.searchParams.get("error")).toBe("invalid_hand_over");
			expect(await readSession(other)).toBeNull();
		}
	});

	it("fails if another tenant has the slug meanwhile", async () => {
		const tenantId = await app.makeTenant("initech");
		const origin = "http://initech.localhost:3000";
		const { browser, url } = await begin(origin);
		const change = { tenantId, slug: "initech-2" };
		expect((await app.manage("/tenant/update", { body: change })).status).toBe(200);
		const visit = await browser.follow(url, { as: newPerson() });
		expect(visit.url.searchParams.get("error")).toBe("domain_not_verified");
		expect(visit.visited.some(isHandOver)).toBe(false);
	});

	it("is refused in a tenant that is suspended meanwhile", async () => {
		const tenantId = await app.makeTenant("hooli");
		const { browser, url } = await begin("http://hooli.localhost:3000");
		expect((await app.manage("/tenant/suspend", { body: { tenantId } })).status).toBe(200);
		const visit = await browser.follow(url, { as: newPerson() });
		expect(visit.url.searchParams.get("error")).toBeTruthy();
		expect(
			browser.cookies.list("http://hooli.localhost:3000").map(({ name }) => name),
		).not.toContain("better-auth.session_token");
	});

	it("at the platform itself is as before", async () => {
		const browser = browserAt(ORIGIN);
		const response = await askSocialSignIn(browser, {
			provider: "gitlab",
			callbackURL: "/home",
			tenantId: acme,
		});
		const { url }: { url: string } = await response.json();
		const visit = await browser.follow(url, { as: newPerson() });
		expect(visit.url.href).toBe(`${ORIGIN}/home`);
		expect(visit.visited.some(isHandOver)).toBe(false);
	});

	it("has the callback of its host without the option", async () => {
		const other = await makeApp(false);
		await other.makeTenant("acme");
		const { url } = await begin(ACME, browserAt(ACME, other));
		expect(redirectUri(url)).toBe(callbackAt(ACME));
	});

	it("needs a plugin that hands it over", async () => {
		const hosts = tenantHosts({ domain: "localhost:3000", sharedCallback: true });
		const { auth } = await makeInstance({ features: false, tenants: { hosts } });
		await expect(auth.$context).rejects.toThrow("Add tenantDomains()");
	});
});
