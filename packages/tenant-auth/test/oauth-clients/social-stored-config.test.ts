import Database from "libsql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Browser } from "../support/browser";
import {
	type Client,
	type IdentityProvider,
	startIdentityProvider,
} from "../support/identity-provider";
import {
	addTenantAt,
	askSocialSignIn,
	beginSocial,
	hostProvider,
	makeSocialApp,
	readSession,
} from "../support/social-app";

const provider = "gitlab";

describe("a stored config that can no longer be used", () => {
	let gitlab: IdentityProvider;
	let hostClient: Client;

	beforeAll(async () => {
		gitlab = await startIdentityProvider("gitlab");
		const redirectURIs = ["https://app.example.com/api/auth/tenant/callback/gitlab"];
		hostClient = await gitlab.addClient({ redirectURIs });
	});

	afterAll(() => gitlab.close());

	async function makeApp() {
		const sqlite = new Database(":memory:");
		const socialProviders = hostProvider("gitlab", gitlab, hostClient);
		return { app: await makeSocialApp({ sqlite, socialProviders }), sqlite, socialProviders };
	}

	/** Credentials sealed for one tenant, put into the row of another. */
	function moveCredentials(sqlite: Database.Database, from: string, to: string) {
		sqlite
			.prepare(
				`update tenantOauthConfig set (clientId, clientSecret) =
					(select clientId, clientSecret from tenantOauthConfig where tenantId = ?)
				where tenantId = ?`,
			)
			.run(from, to);
	}

	it("answers an error for a ciphertext moved to another row, and never uses the host's client", async () => {
		const { app, sqlite } = await makeApp();
		const one = await addTenantAt(app, "gitlab", gitlab);
		const other = await addTenantAt(app, "gitlab", gitlab);
		moveCredentials(sqlite, other.tenantId, one.tenantId);
		const { tenantId } = one;
		const response = await askSocialSignIn(new Browser(app), { tenantId, provider });
		expect(response.status).toBe(500);
		expect(await response.json()).toMatchObject({ code: "OAUTH_CREDENTIAL_DECRYPT_FAILED" });
	});

	it("sends a flow in progress to its error URL for a ciphertext moved to another row", async () => {
		const { app, sqlite } = await makeApp();
		const one = await addTenantAt(app, "gitlab", gitlab);
		const other = await addTenantAt(app, "gitlab", gitlab);
		const person = gitlab.addPerson({ email: "moved@example.com" });
		const { browser, url } = await beginSocial(app, { tenantId: one.tenantId, provider });
		const until = (at: URL) => at.pathname.includes("/callback/");
		const { url: callback } = await browser.follow(url, { as: person, until });
		moveCredentials(sqlite, other.tenantId, one.tenantId);
		const visit = await browser.follow(callback);
		expect(visit.url.pathname).toBe("/failed");
		expect(visit.url.searchParams.get("error")).toBeTruthy();
		expect(await readSession(browser)).toBeNull();
	});

	it("refuses a private address that an instance with other rules saved", async () => {
		const { app, sqlite, socialProviders } = await makeApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const strict = await makeSocialApp({
			sqlite,
			socialProviders,
			tenants: { allowPrivateProviderHosts: false },
		});
		const response = await askSocialSignIn(new Browser(strict), { tenantId, provider });
		expect(response.status).toBeGreaterThanOrEqual(400);
		expect(response.status).toBeLessThan(500);
		expect(await response.json()).not.toHaveProperty("url");
	});

	it("refuses fields of a Facebook profile that an earlier version saved, and says no address", async () => {
		const { app, sqlite } = await makeApp();
		const tenantId = await app.createTenant();
		const client = { clientId: "app", clientSecret: "secret" };
		const options = { fields: ["id"] };
		await app.registerConfig({ tenantId, providerId: "facebook", ...client, options });
		const stored = JSON.stringify({ fields: ["id&fields=id,website.as(email)"] });
		sqlite.prepare("update tenantOauthConfig set options = ?").run(stored);
		const body = { tenantId, provider: "facebook" };
		const response = await askSocialSignIn(new Browser(app), body);
		expect(response.status).toBe(400);
		expect(await response.json()).toMatchObject({ code: "INVALID_PROVIDER_OPTIONS" });
	});

	it("sends a flow in progress to its error URL for an address that is refused by now", async () => {
		const { app, sqlite, socialProviders } = await makeApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const person = gitlab.addPerson({ email: "strict@example.com" });
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const until = (at: URL) => at.pathname.includes("/callback/");
		const { url: callback } = await browser.follow(url, { as: person, until });
		const strict = await makeSocialApp({
			sqlite,
			socialProviders,
			tenants: { allowPrivateProviderHosts: false },
		});
		const cookie = browser.cookies.header(callback, { crossSite: true, method: "GET" }) ?? "";
		const response = await strict.handler(new Request(callback, { headers: { cookie } }));
		expect(response.headers.get("location")).toMatch(/^\/failed\?error=/);
	});
});
