import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Browser } from "../support/browser";
import { type IdentityProvider, startIdentityProvider } from "../support/identity-provider";
import {
	addTenantAt,
	askSocialSignIn,
	beginSocial,
	hostProvider,
	makeSocialApp,
	readSession,
} from "../support/social-app";

const provider = "gitlab";

describe("a social sign-in, as in Better Auth itself,", () => {
	let gitlab: IdentityProvider;

	beforeAll(async () => {
		gitlab = await startIdentityProvider("gitlab");
	});

	afterAll(() => gitlab.close());

	const newPerson = () => gitlab.addPerson({ email: `${randomUUID()}@example.com` });

	it("answers 200 with the provider's address in body and Location", async () => {
		const app = await makeSocialApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const response = await askSocialSignIn(new Browser(app), { tenantId, provider });
		const answer = await response.json();
		expect(response.status).toBe(200);
		expect(answer).toEqual({ url: expect.stringContaining(gitlab.url), redirect: true });
		expect(response.headers.get("location")).toBe(answer.url);
	});

	it("ends at the host's base URL without a callbackURL", async () => {
		const app = await makeSocialApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const body = { tenantId, provider, callbackURL: undefined };
		const { browser, url } = await beginSocial(app, body);
		const visit = await browser.follow(url, { as: newPerson() });
		expect(visit.url.href).toBe(`${app.origin}/`);
		expect((await readSession(browser))?.session.tenantId).toBe(tenantId);
	});

	it("leaves Location out with disableRedirect", async () => {
		const app = await makeSocialApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const body = { tenantId, provider, disableRedirect: true };
		const response = await askSocialSignIn(new Browser(app), body);
		expect(await response.json()).toMatchObject({ redirect: false });
		expect(response.headers.get("location")).toBeNull();
	});

	it("passes loginHint on to the provider", async () => {
		const app = await makeSocialApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const loginHint = "ada@example.com";
		const { url } = await beginSocial(app, { tenantId, provider, loginHint });
		expect(new URL(url).searchParams.get("login_hint")).toBe(loginHint);
	});

	it("leads a new user of the tenant to newUserCallbackURL, and a known one to callbackURL", async () => {
		const app = await makeSocialApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const other = await addTenantAt(app, "gitlab", gitlab);
		const person = newPerson();
		const land = async (at: string) => {
			const body = { tenantId: at, provider, newUserCallbackURL: "/welcome" };
			const { browser, url } = await beginSocial(app, body);
			return (await browser.follow(url, { as: person })).url.pathname;
		};
		expect(await land(tenantId)).toBe("/welcome");
		expect(await land(tenantId)).toBe("/home");
		expect(await land(other.tenantId)).toBe("/welcome");
	});

	it("makes no user where the host's provider demands requestSignUp, until that is given", async () => {
		const redirectURIs = ["https://app.example.com/api/auth/tenant/callback/gitlab"];
		const { clientId, clientSecret } = await gitlab.addClient({ redirectURIs });
		const settings = { clientId, clientSecret, issuer: gitlab.url, disableImplicitSignUp: true };
		const app = await makeSocialApp({ socialProviders: { gitlab: settings } });
		const tenantId = await app.createTenant();
		const person = newPerson();
		const refused = await beginSocial(app, { tenantId, provider });
		const visit = await refused.browser.follow(refused.url, { as: person });
		expect(visit.url.href).toBe(`${app.origin}/failed?error=signup_disabled`);
		const wanted = await beginSocial(app, { tenantId, provider, requestSignUp: true });
		await wanted.browser.follow(wanted.url, { as: person });
		expect((await readSession(wanted.browser))?.user).toMatchObject({ tenantId });
	});

	it("is refused for a provider that takes no id token", async () => {
		const app = await makeSocialApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const body = { tenantId, provider, idToken: { token: "made-up" } };
		const response = await askSocialSignIn(new Browser(app), body);
		expect(response.status).toBe(404);
		expect(await response.json()).toMatchObject({ code: "ID_TOKEN_NOT_SUPPORTED" });
	});

	it("leaves the host's own sign-in on the platform", async () => {
		const redirectURIs = ["https://app.example.com/api/auth/callback/gitlab"];
		const client = await gitlab.addClient({ redirectURIs });
		const app = await makeSocialApp({ socialProviders: hostProvider("gitlab", gitlab, client) });
		const browser = new Browser(app);
		const response = await browser.fetch("/sign-in/social", {
			body: { provider, callbackURL: "/home" },
		});
		const { url }: { url: string } = await response.json();
		const visit = await browser.follow(url, { as: newPerson() });
		expect(visit.url.href).toBe(`${app.origin}/home`);
		expect((await readSession(browser))?.session.tenantId).toBeNull();
	});
});
