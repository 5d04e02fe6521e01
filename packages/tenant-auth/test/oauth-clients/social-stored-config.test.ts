import { describe, expect, it } from "vitest";
import { Browser } from "../support/http/browser";
import { useIdentityProvider } from "../support/providers/identity-provider";
import {
	addTenantAt,
	askSocialSignIn,
	beginSocial,
	hostProvider,
	makeSocialApp,
	readSession,
	type SocialApp,
} from "../support/worlds/social-app";
import { useWorld } from "../support/worlds/world";

const provider = "gitlab";

describe("a stored OAuth config that can no longer be used", () => {
	const gitlab = useIdentityProvider("gitlab");

	const world = useWorld(async () => {
		const redirectURIs = ["https://app.example.com/api/auth/tenant/callback/gitlab"];
		const hostClient = await gitlab.addClient({ redirectURIs });
		const socialProviders = hostProvider("gitlab", gitlab, hostClient);
		return { ...(await makeSocialApp({ socialProviders })), socialProviders };
	});

	/** Moves credentials that were encrypted for one tenant to the row of another. */
	function moveCredentials({ database }: SocialApp, from: string, to: string) {
		database
			.prepare(
				`update tenantOauthConfig set (clientId, clientSecret) =
					(select clientId, clientSecret from tenantOauthConfig where tenantId = ?)
				where tenantId = ?`,
			)
			.run(from, to);
	}

	it("causes an error if its ciphertext was moved to another row, and never uses the client of the app", async () => {
		const app = world();
		const one = await addTenantAt(app, "gitlab", gitlab);
		const other = await addTenantAt(app, "gitlab", gitlab);
		moveCredentials(app, other.tenantId, one.tenantId);
		const { tenantId } = one;
		const response = await askSocialSignIn(new Browser(app), { tenantId, provider });
		expect(response.status).toBe(503);
		expect(await response.json()).toMatchObject({ code: "OAUTH_CREDENTIAL_DECRYPT_FAILED" });
	});

	it("fails a running flow if its ciphertext was moved to another row", async () => {
		const app = world();
		const one = await addTenantAt(app, "gitlab", gitlab);
		const other = await addTenantAt(app, "gitlab", gitlab);
		const person = gitlab.addPerson({ email: "moved@example.com" });
		const { browser, url } = await beginSocial(app, { tenantId: one.tenantId, provider });
		const until = (at: URL) => at.pathname.includes("/callback/");
		const { url: callback } = await browser.follow(url, { as: person, until });
		moveCredentials(app, other.tenantId, one.tenantId);
		const visit = await browser.follow(callback);
		expect(visit.url.pathname).toBe("/failed");
		expect(visit.url.searchParams.get("error")).toBeTruthy();
		expect(await readSession(browser)).toBeNull();
	});

	it("is rejected if its host is private and another instance allowed that", async () => {
		const app = world();
		const { database: sqlite, socialProviders } = app;
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

	it("is rejected if it has fields of a Facebook profile that an earlier version saved", async () => {
		const app = world();
		const tenantId = await app.createTenant();
		const client = { clientId: "app", clientSecret: "secret" };
		const options = { fields: ["id"] };
		await app.registerConfig({ tenantId, providerId: "facebook", ...client, options });
		const stored = JSON.stringify({ fields: ["id&fields=id,website.as(email)"] });
		app.database.prepare("update tenantOauthConfig set options = ?").run(stored);
		const body = { tenantId, provider: "facebook" };
		const response = await askSocialSignIn(new Browser(app), body);
		expect(response.status).toBe(400);
		expect(await response.json()).toMatchObject({ code: "INVALID_PROVIDER_OPTIONS" });
	});

	it("fails a running flow if its host is no longer allowed", async () => {
		const app = world();
		const { database: sqlite, socialProviders } = app;
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
