import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Browser } from "../support/http/browser";
import { useIdentityProvider } from "../support/providers/identity-provider";
import {
	ACME,
	callbackAt,
	customDomainHosts,
	makeCustomDomain,
} from "../support/worlds/custom-domains";
import { ORIGIN } from "../support/worlds/instance";
import { askSocialSignIn, readSession } from "../support/worlds/social-app";

const gitlab = useIdentityProvider("gitlab");
const newPerson = () => gitlab.addPerson({ email: `${randomUUID()}@example.com` });

/**
 * Whoever controls the DNS of a domain can lead anybody through a sign-in there, and then read the code
 * of the hand-over.
 */
describe("the app's own social providers at a custom domain", () => {
	const SUBDOMAIN = "http://acme.localhost:3000";
	const makeDefault = () =>
		makeCustomDomain(gitlab, {
			tenants: { hosts: customDomainHosts(true), allowPrivateProviderHosts: true },
		});

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
		const { manage, browser, tenantId } = await makeCustomDomain(gitlab, {
			tenants: { hosts: customDomainHosts(true), allowPrivateProviderHosts: true },
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
