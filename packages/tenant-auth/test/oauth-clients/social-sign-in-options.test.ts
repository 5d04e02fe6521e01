import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Browser } from "../support/http/browser";
import { useIdentityProvider } from "../support/providers/identity-provider";
import { EMAIL } from "../support/worlds/instance";
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

describe("a social sign-in, as in Better Auth,", () => {
	const gitlab = useIdentityProvider("gitlab");
	const world = useWorld(async () => {
		const app = await makeSocialApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		return { ...app, tenantId };
	});

	const newPerson = () => gitlab.addPerson({ email: `${randomUUID()}@example.com` });

	it("answers 200 with the URL of the provider in body and Location", async () => {
		const app = world();
		const { tenantId } = app;
		const response = await askSocialSignIn(new Browser(app), { tenantId, provider });
		const answer = await response.json();
		expect(response.status).toBe(200);
		expect(answer).toEqual({ url: expect.stringContaining(gitlab.url), redirect: true });
		expect(response.headers.get("location")).toBe(answer.url);
	});

	it("ends at the base URL of the app without a callbackURL", async () => {
		const app = world();
		const { tenantId } = app;
		const body = { tenantId, provider, callbackURL: undefined };
		const { browser, url } = await beginSocial(app, body);
		const visit = await browser.follow(url, { as: newPerson() });
		expect(visit.url.href).toBe(`${app.origin}/`);
		expect((await readSession(browser))?.session.tenantId).toBe(tenantId);
	});

	it("sends no Location with disableRedirect", async () => {
		const app = world();
		const { tenantId } = app;
		const body = { tenantId, provider, disableRedirect: true };
		const response = await askSocialSignIn(new Browser(app), body);
		expect(await response.json()).toMatchObject({ redirect: false });
		expect(response.headers.get("location")).toBeNull();
	});

	it("passes loginHint to the provider", async () => {
		const app = world();
		const { tenantId } = app;
		const loginHint = EMAIL;
		const { url } = await beginSocial(app, { tenantId, provider, loginHint });
		expect(new URL(url).searchParams.get("login_hint")).toBe(loginHint);
	});

	it("redirects a new user of the tenant to newUserCallbackURL, and others to callbackURL", async () => {
		const app = world();
		const { tenantId } = app;
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

	it("creates a user only with requestSignUp if the provider of the app requires it", async () => {
		const redirectURIs = ["https://app.example.com/api/auth/tenant/callback/gitlab"];
		const { clientId, clientSecret } = await gitlab.addClient({ redirectURIs });
		const settings = { clientId, clientSecret, issuer: gitlab.url, disableImplicitSignUp: true };
		const app = await makeSocialApp({ socialProviders: { gitlab: settings } });
		const tenantId = await app.createTenant();
		const person = newPerson();
		const rejected = await beginSocial(app, { tenantId, provider });
		const visit = await rejected.browser.follow(rejected.url, { as: person });
		expect(visit.url.href).toBe(`${app.origin}/failed?error=signup_disabled`);
		const wanted = await beginSocial(app, { tenantId, provider, requestSignUp: true });
		await wanted.browser.follow(wanted.url, { as: person });
		expect((await readSession(wanted.browser))?.user).toMatchObject({ tenantId });
	});

	it("is rejected if the provider does not support id tokens", async () => {
		const app = world();
		const { tenantId } = app;
		const body = { tenantId, provider, idToken: { token: "made-up" } };
		const response = await askSocialSignIn(new Browser(app), body);
		expect(response.status).toBe(404);
		expect(await response.json()).toMatchObject({ code: "ID_TOKEN_NOT_SUPPORTED" });
	});

	it("of the app itself stays on the platform", async () => {
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
