import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Browser } from "../support/http/browser";
import { accountsOf } from "../support/providers/core-social";
import { obtainEntraIdToken } from "../support/providers/id-token";
import { type IdentityProvider, useIdentityProvider } from "../support/providers/identity-provider";
import { directoryId } from "../support/providers/identity-provider/microsoft";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import { PASSWORD } from "../support/worlds/instance";
import {
	addTenantAt,
	beginSocial,
	hostProvider,
	makeSocialApp,
	readSession,
	type SocialApp,
} from "../support/worlds/social-app";
import { useWorld } from "../support/worlds/world";

const provider = "gitlab";

/** A tenant moves from passwords to its own identity provider. */
describe("a user who links an account of the tenant's own identity provider", () => {
	const gitlab = useIdentityProvider("gitlab");
	const secondGitlab = useIdentityProvider("gitlab");
	const microsoft = useIdentityProvider("microsoft");

	const makeApp = (accountLinking = {}) =>
		makeSocialApp({ emailAndPassword: cheapPasswords, account: { accountLinking } });
	const world = useWorld(() => makeApp());

	async function signUp(app: SocialApp, tenantId: string, browser = new Browser(app)) {
		const email = `${randomUUID()}@example.com`;
		const body = { tenantId, email, password: PASSWORD, name: "Ada" };
		await browser.fetch("/tenant/sign-up/email", { body });
		const session = await readSession(browser);
		if (session?.user.email !== email) throw new Error("The user could not sign up");
		return { browser, email, userId: session.user.id };
	}

	async function askLink(browser: Browser, body: object = {}, headers = {}) {
		return browser.fetch("/link-social", {
			body: { provider, callbackURL: "/linked", errorCallbackURL: "/failed", ...body },
			headers,
		});
	}

	async function beginLink(browser: Browser, body: object = {}): Promise<string> {
		return (await (await askLink(browser, body)).json()).url;
	}

	/** Stops before the browser opens the callback. */
	async function findCallback(browser: Browser, url: string, at: IdentityProvider, email: string) {
		const person = at.addPerson({ email });
		const until = (page: URL) => page.pathname.includes("/callback/");
		return { person, callback: (await browser.follow(url, { as: person, until })).url };
	}

	const providersOf = async (browser: Browser) =>
		(await accountsOf(browser)).map(({ providerId }) => providerId).sort();

	it("succeeds by redirect, although nothing proves the email, and can sign in with it", async () => {
		const app = world();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const { browser, email, userId } = await signUp(app, tenantId);
		const person = gitlab.addPerson({ email, emailVerified: false });
		const visit = await browser.follow(await beginLink(browser), { as: person });
		expect(visit.url.href).toBe(`${app.origin}/linked`);
		expect(await providersOf(browser)).toEqual(["credential", "gitlab"]);
		const later = await beginSocial(app, { tenantId, provider });
		await later.browser.follow(later.url, { as: person });
		expect((await readSession(later.browser))?.user.id).toBe(userId);
	});

	it("succeeds by ID token", async () => {
		const app = world();
		const { tenantId, client } = await addTenantAt(app, "microsoft", microsoft, {
			options: { authority: microsoft.url, tenantId: directoryId },
		});
		const { browser, email } = await signUp(app, tenantId);
		const person = microsoft.addPerson({ email, claims: { email_verified: undefined } });
		const token = await obtainEntraIdToken(microsoft, client, person);
		const response = await askLink(browser, { provider: "microsoft", idToken: { token } });
		expect([response.status, await response.json()]).toEqual([
			200,
			{ url: "", status: true, redirect: false },
		]);
		expect(await providersOf(browser)).toEqual(["credential", "microsoft"]);
	});

	it("with another email needs allowDifferentEmails", async () => {
		for (const [allowDifferentEmails, page] of [
			[false, "/failed?error=email_does_not_match"],
			[true, "/linked"],
		] as const) {
			const app = await makeApp({ allowDifferentEmails });
			const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
			const { browser } = await signUp(app, tenantId);
			const person = gitlab.addPerson({ email: `${randomUUID()}@example.com` });
			const visit = await browser.follow(await beginLink(browser), { as: person });
			expect(visit.url.href).toBe(`${app.origin}${page}`);
		}
	});

	it("is rejected if the app disabled linking", async () => {
		const app = await makeApp({ enabled: false });
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const { browser, email } = await signUp(app, tenantId);
		const person = gitlab.addPerson({ email });
		const visit = await browser.follow(await beginLink(browser), { as: person });
		expect(visit.url.searchParams.get("error")).toBe("unable_to_link_account");
	});

	it("does not make the provider trusted: an implicit link by email stays rejected", async () => {
		const app = world();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const ada = await signUp(app, tenantId);
		const own = gitlab.addPerson({ email: ada.email });
		await ada.browser.follow(await beginLink(ada.browser), { as: own });
		const { email } = await signUp(app, tenantId);
		app.database.prepare("update user set emailVerified = 1").run();
		const person = gitlab.addPerson({ email, emailVerified: true });
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const visit = await browser.follow(url, { as: person });
		expect(visit.url.href).toBe(`${app.origin}/failed?error=account_not_linked`);
		expect(await readSession(browser)).toBeNull();
	});

	it("cannot be made to link by a page of another site", async () => {
		const app = world();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const { browser } = await signUp(app, tenantId);
		const cookie = browser.cookies.header(new URL(app.baseURL), {
			crossSite: false,
			method: "POST",
		});
		const response = await app.handler(
			new Request(`${app.baseURL}/link-social`, {
				method: "POST",
				headers: {
					"content-type": "application/json",
					origin: "https://evil.example",
					cookie: String(cookie),
				},
				body: JSON.stringify({ provider, callbackURL: "/linked" }),
			}),
		);
		expect(response.status).toBe(403);
	});

	it("cannot be made to finish the link of somebody else: the flow is bound to a browser", async () => {
		const app = world();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const attacker = await signUp(app, tenantId);
		const victim = await signUp(app, tenantId);
		const url = await beginLink(attacker.browser);
		const { callback } = await findCallback(attacker.browser, url, gitlab, attacker.email);
		const visit = await victim.browser.follow(callback);
		expect(visit.url.searchParams.get("error")).toBe("state_mismatch");
		expect(await providersOf(victim.browser)).toEqual(["credential"]);
		expect(await providersOf(attacker.browser)).toEqual(["credential"]);
	});

	it("is rejected if another user signed in in the same browser meanwhile", async () => {
		const app = await makeApp({ allowDifferentEmails: true });
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const first = await signUp(app, tenantId);
		const url = await beginLink(first.browser);
		const second = await signUp(app, tenantId, first.browser);
		const { person, callback } = await findCallback(first.browser, url, gitlab, second.email);
		const visit = await first.browser.follow(callback);
		expect(visit.url.pathname).toBe("/failed");
		expect(visit.url.searchParams.get("error")).toBe("unable_to_link_account");
		expect(await providersOf(second.browser)).toEqual(["credential"]);
		const later = await beginSocial(app, { tenantId, provider });
		await later.browser.follow(later.url, { as: person });
		expect(await readSession(later.browser)).toBeNull();
	});

	it("is rejected if the user signed out meanwhile", async () => {
		const app = world();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const { browser, email } = await signUp(app, tenantId);
		const url = await beginLink(browser);
		const { callback } = await findCallback(browser, url, gitlab, email);
		await browser.fetch("/sign-out", { body: {} });
		const visit = await browser.follow(callback);
		expect(visit.url.searchParams.get("error")).toBe("unable_to_link_account");
	});

	it("is rejected in the session of another tenant", async () => {
		const app = world();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const other = await addTenantAt(app, "gitlab", gitlab);
		const first = await signUp(app, tenantId);
		const url = await beginLink(first.browser);
		const { callback } = await findCallback(first.browser, url, gitlab, first.email);
		const second = await signUp(app, other.tenantId, first.browser);
		const visit = await first.browser.follow(callback);
		expect(visit.url.searchParams.get("error")).toBe("unable_to_link_account");
		expect(await providersOf(second.browser)).toEqual(["credential"]);
		expect((await readSession(second.browser))?.user.id).toBe(second.userId);
	});

	it("does not get the account of another user, whatever account id the provider asserts", async () => {
		const app = world();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const victim = await signUp(app, tenantId);
		const theirs = gitlab.addPerson({ email: victim.email });
		await victim.browser.follow(await beginLink(victim.browser), { as: theirs });
		const attacker = await signUp(app, tenantId);
		const double = gitlab.addPerson({
			email: attacker.email,
			sub: `double-of-${theirs.sub}`,
			number: theirs.number,
		});
		const visit = await attacker.browser.follow(await beginLink(attacker.browser), { as: double });
		expect(visit.url.searchParams.get("error")).toBe("account_already_linked_to_different_user");
		expect(await providersOf(attacker.browser)).toEqual(["credential"]);
		expect(await providersOf(victim.browser)).toEqual(["credential", "gitlab"]);
	});

	it("is rejected if the config was replaced by another issuer meanwhile", async () => {
		const app = world();
		const { tenantId, config } = await addTenantAt(app, "gitlab", gitlab);
		const { browser, email } = await signUp(app, tenantId);
		const url = await beginLink(browser);
		const { callback } = await findCallback(browser, url, gitlab, email);
		await app.registerConfig({ ...config, options: { issuer: secondGitlab.url } });
		const visit = await browser.follow(callback);
		expect(visit.url.searchParams.get("error")).toBe("oauth_config_changed");
		expect(await providersOf(browser)).toEqual(["credential"]);
	});

	it("does not update an account of another issuer that has the same id", async () => {
		const app = world();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const { browser, email } = await signUp(app, tenantId);
		const person = gitlab.addPerson({ email });
		await browser.follow(await beginLink(browser), { as: person });
		const stored = () =>
			app.database.prepare("select * from account where providerId = 'gitlab'").all();
		const before = stored();
		await addTenantAt(app, "gitlab", secondGitlab, { tenantId });
		const double = secondGitlab.addPerson({ email, number: person.number });
		const visit = await browser.follow(await beginLink(browser), { as: double });
		expect(visit.url.searchParams.get("error")).toBe("account_already_linked_to_different_user");
		expect(stored()).toEqual(before);
	});

	it("at the app's own client keeps to Better Auth's rule for verified emails", async () => {
		const redirectURIs = ["https://app.example.com/api/auth/tenant/callback/gitlab"];
		const client = await gitlab.addClient({ redirectURIs });
		const app = await makeSocialApp({
			emailAndPassword: cheapPasswords,
			socialProviders: hostProvider("gitlab", gitlab, client),
		});
		const tenantId = await app.createTenant();
		const { browser, email } = await signUp(app, tenantId);
		const person = gitlab.addPerson({ email, emailVerified: false });
		const visit = await browser.follow(await beginLink(browser), { as: person });
		expect(visit.url.searchParams.get("error")).toBe("unable_to_link_account");
	});
});
