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
} from "../support/worlds/social-app";
import { useWorld } from "../support/worlds/world";

const provider = "gitlab";

describe("the provider of a social sign-in", () => {
	const gitlab = useIdentityProvider("gitlab");

	const withHostClient = useWorld(async () => {
		const redirectURIs = ["https://app.example.com/api/auth/tenant/callback/gitlab"];
		const hostClient = await gitlab.addClient({ redirectURIs });
		const socialProviders = hostProvider("gitlab", gitlab, hostClient);
		return { ...(await makeSocialApp({ socialProviders })), hostClient };
	});
	const withoutHostClient = useWorld(() => makeSocialApp());

	const clientIdOf = (url: string) => new URL(url).searchParams.get("client_id");
	const scopesOf = (url: string) => new URL(url).searchParams.get("scope")?.split(" ");

	it("is the client of the tenant, also if the app has one", async () => {
		const app = withHostClient();
		const { tenantId, client } = await addTenantAt(app, "gitlab", gitlab);
		const { url } = await beginSocial(app, { tenantId, provider });
		expect(clientIdOf(url)).toBe(client.clientId);
	});

	it("is the client of the app if only another tenant has a client", async () => {
		const app = withHostClient();
		await addTenantAt(app, "gitlab", gitlab);
		const tenantId = await app.createTenant();
		const { url } = await beginSocial(app, { tenantId, provider });
		expect(clientIdOf(url)).toBe(app.hostClient.clientId);
	});

	it("is the client of the app while the client of the tenant is disabled", async () => {
		const app = withHostClient();
		const { tenantId, client, config } = await addTenantAt(app, "gitlab", gitlab, {
			enabled: false,
		});
		expect(clientIdOf((await beginSocial(app, { tenantId, provider })).url)).toBe(
			app.hostClient.clientId,
		);
		await app.registerConfig({ ...config, enabled: true });
		expect(clientIdOf((await beginSocial(app, { tenantId, provider })).url)).toBe(client.clientId);
	});

	it("is the client of the app after the client of the tenant is deleted", async () => {
		const app = withHostClient();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		await app.deleteConfig({ tenantId, providerId: provider });
		const { url } = await beginSocial(app, { tenantId, provider });
		expect(clientIdOf(url)).toBe(app.hostClient.clientId);
	});

	it("is not found without an enabled OAuth config and without a client of the app", async () => {
		const app = withoutHostClient();
		const disabled = await addTenantAt(app, "gitlab", gitlab, { enabled: false });
		await addTenantAt(app, "gitlab", gitlab);
		for (const tenantId of [disabled.tenantId, await app.createTenant()]) {
			const response = await askSocialSignIn(new Browser(app), { tenantId, provider });
			expect(response.status).toBe(404);
			expect(await response.json()).toMatchObject({ code: "PROVIDER_NOT_FOUND" });
		}
	});

	it.each(["__proto__", "constructor", "toString", "nobody", ""])(
		"is not found as %j",
		async (name) => {
			const app = withHostClient();
			const tenantId = await app.createTenant();
			const response = await askSocialSignIn(new Browser(app), { tenantId, provider: name });
			expect(response.status).toBe(404);
			expect(await response.json()).toMatchObject({ code: "PROVIDER_NOT_FOUND" });
		},
	);

	it("follows every change of the OAuth config", async () => {
		const app = withoutHostClient();
		const { tenantId, config } = await addTenantAt(app, "gitlab", gitlab);
		for (const clientId of ["first", "second", "third"]) {
			await app.registerConfig({ ...config, clientId });
			expect(clientIdOf((await beginSocial(app, { tenantId, provider })).url)).toBe(clientId);
		}
	});

	it("asks for the scopes of the OAuth config and of the request", async () => {
		const app = withoutHostClient();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab, { scopes: ["read_api"] });
		const { url } = await beginSocial(app, { tenantId, provider, scopes: ["read_repository"] });
		expect(scopesOf(url)).toEqual(["read_user", "read_api", "read_repository"]);
		expect(scopesOf((await beginSocial(app, { tenantId, provider })).url)).toEqual([
			"read_user",
			"read_api",
		]);
	});

	it("gets the redirect URI of the OAuth config, also when the code is exchanged", async () => {
		const app = withoutHostClient();
		const redirectURI = "https://app.example.com/api/auth/tenant/callback/gitlab?via=proxy";
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab, { redirectURI });
		const person = gitlab.addPerson({ email: "proxied@example.com" });
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		expect(new URL(url).searchParams.get("redirect_uri")).toBe(redirectURI);
		const visit = await browser.follow(url, { as: person });
		expect(visit.url.href).toBe(`${app.origin}/home`);
		expect((await readSession(browser))?.session.tenantId).toBe(tenantId);
	});

	it("rejects a redirect URI that the client of the tenant did not register", async () => {
		const app = withoutHostClient();
		const { tenantId, config } = await addTenantAt(app, "gitlab", gitlab);
		await app.registerConfig({ ...config, redirectURI: `${app.origin}/elsewhere` });
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		expect((await browser.follow(url)).page).toContain("invalid_redirect_uri");
	});

	it("needs a tenant that exists", async () => {
		const app = withHostClient();
		const nobody = await askSocialSignIn(new Browser(app), { provider });
		expect(nobody.status).toBe(400);
		expect(await nobody.json()).toMatchObject({ code: "TENANT_ID_REQUIRED" });
		const unknown = await askSocialSignIn(new Browser(app), { tenantId: "nowhere", provider });
		expect(unknown.status).toBe(404);
		expect(await unknown.json()).toMatchObject({ code: "TENANT_NOT_FOUND" });
	});

	it("is that of the tenant in the header if body and query name none", async () => {
		const app = withHostClient();
		const { tenantId, client } = await addTenantAt(app, "gitlab", gitlab);
		const browser = new Browser(app);
		const response = await askSocialSignIn(browser, { provider }, { "x-tenant-id": tenantId });
		const { url }: { url: string } = await response.json();
		expect(clientIdOf(url)).toBe(client.clientId);
		await browser.follow(url, { as: gitlab.addPerson({ email: "header@example.com" }) });
		expect((await readSession(browser))?.session.tenantId).toBe(tenantId);
	});
});
