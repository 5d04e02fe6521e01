import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Browser } from "../support/http/browser";
import { type IdentityProvider, useIdentityProvider } from "../support/providers/identity-provider";
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

describe("an identity provider of a tenant admin", () => {
	/** The app trusts this one. */
	const gitlab = useIdentityProvider("gitlab");
	/** The admin of a tenant runs this one. */
	const rogue = useIdentityProvider("gitlab");

	/** An app whose users have verified emails. */
	async function makeApp(trustedProviders: string[]) {
		const redirectURIs = ["https://app.example.com/api/auth/tenant/callback/gitlab"];
		const hostClient = await gitlab.addClient({ redirectURIs });
		return makeSocialApp({
			emailAndPassword: cheapPasswords,
			socialProviders: hostProvider("gitlab", gitlab, hostClient),
			account: { accountLinking: { trustedProviders } },
			databaseHooks: {
				user: { create: { before: async (user) => ({ data: { ...user, emailVerified: true } }) } },
			},
		});
	}

	const trusting = useWorld(() => makeApp(["gitlab"]));
	const notTrusting = useWorld(() => makeApp([]));

	async function signUp(app: SocialApp, email: string, tenantId?: string): Promise<string> {
		const browser = new Browser(app);
		const path = tenantId ? "/tenant/sign-up/email" : "/sign-up/email";
		await browser.fetch(path, { body: { tenantId, email, password: PASSWORD, name: "Victim" } });
		const session = await readSession(browser);
		if (session?.user.email !== email) throw new Error("The victim could not sign up");
		return session.user.id;
	}

	async function signInAs(app: SocialApp, tenantId: string, at: IdentityProvider, email: string) {
		const person = at.addPerson({ email, emailVerified: true });
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const visit = await browser.follow(url, { as: person });
		return { url: visit.url, session: await readSession(browser) };
	}

	const newEmail = () => `${randomUUID()}@example.com`;

	it("that claims the email of a user of another tenant does not reach that user", async () => {
		const app = trusting();
		const email = newEmail();
		const victim = await signUp(app, email, await app.createTenant());
		const { tenantId } = await addTenantAt(app, "gitlab", rogue);
		const { session } = await signInAs(app, tenantId, rogue, email);
		expect(session?.user).toMatchObject({ email, tenantId });
		expect(session?.user.id).not.toBe(victim);
	});

	it("that claims the email of a platform user does not reach that user", async () => {
		const app = trusting();
		const email = newEmail();
		const victim = await signUp(app, email);
		const { tenantId } = await addTenantAt(app, "gitlab", rogue);
		const { session } = await signInAs(app, tenantId, rogue, email);
		expect(session?.user).toMatchObject({ email, tenantId });
		expect(session?.user.id).not.toBe(victim);
	});

	it("that claims the email of a password user of the tenant is not linked to that user", async () => {
		const app = trusting();
		const { tenantId } = await addTenantAt(app, "gitlab", rogue);
		const email = newEmail();
		await signUp(app, email, tenantId);
		const { url, session } = await signInAs(app, tenantId, rogue, email);
		expect(url.href).toBe(`${app.origin}/failed?error=account_not_linked`);
		expect(session).toBeNull();
	});

	it("that claims the email of a password user is not linked if the app trusts no provider", async () => {
		const app = notTrusting();
		const { tenantId } = await addTenantAt(app, "gitlab", rogue);
		const email = newEmail();
		await signUp(app, email, tenantId);
		const { url, session } = await signInAs(app, tenantId, rogue, email);
		expect(url.href).toBe(`${app.origin}/failed?error=account_not_linked`);
		expect(session).toBeNull();
	});

	it("that claims an account id of another tenant does not reach that user", async () => {
		const app = trusting();
		const victim = gitlab.addPerson({ email: newEmail() });
		const theirs = await beginSocial(app, { tenantId: await app.createTenant(), provider });
		await theirs.browser.follow(theirs.url, { as: victim });
		const { tenantId } = await addTenantAt(app, "gitlab", rogue);
		const double = rogue.addPerson({ email: newEmail(), number: victim.number });
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		await browser.follow(url, { as: double });
		const session = await readSession(browser);
		expect(session?.user).toMatchObject({ email: double.email, tenantId });
		expect(session?.user.id).not.toBe((await readSession(theirs.browser))?.user.id);
	});

	it("that claims the account id of a user of the app's client does not reach that user", async () => {
		const app = trusting();
		const tenantId = await app.createTenant();
		const victim = gitlab.addPerson({ email: newEmail() });
		const theirs = await beginSocial(app, { tenantId, provider });
		await theirs.browser.follow(theirs.url, { as: victim });
		const victimId = (await readSession(theirs.browser))?.user.id;
		expect(victimId).toBeTypeOf("string");
		await addTenantAt(app, "gitlab", rogue, { tenantId });
		const double = rogue.addPerson({ email: newEmail(), number: victim.number });
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		await browser.follow(url, { as: double });
		expect((await readSession(browser))?.user.id).not.toBe(victimId);
	});

	it("is not trusted after its client is disabled, because then the app's client is used", async () => {
		const app = trusting();
		const { tenantId, config } = await addTenantAt(app, "gitlab", rogue);
		const email = newEmail();
		await signUp(app, email, tenantId);
		await app.registerConfig({ ...config, enabled: false });
		const { url } = await beginSocial(app, { tenantId, provider });
		expect(new URL(url).origin).toBe(gitlab.url);
	});

	describe("with the client of the app", () => {
		async function signInWith(app: SocialApp, emailVerified: boolean) {
			const tenantId = await app.createTenant();
			const email = newEmail();
			const existing = await signUp(app, email, tenantId);
			const person = gitlab.addPerson({ email, emailVerified });
			const { browser, url } = await beginSocial(app, { tenantId, provider });
			const visit = await browser.follow(url, { as: person });
			return { existing, url: visit.url, session: await readSession(browser) };
		}

		it("a trusted provider is linked to a user of the tenant, also if it did not verify the email", async () => {
			const { existing, session } = await signInWith(trusting(), false);
			expect(session?.user.id).toBe(existing);
		});

		it("another provider is linked if it verified the email", async () => {
			const { existing, session } = await signInWith(notTrusting(), true);
			expect(session?.user.id).toBe(existing);
		});

		it("another provider is not linked if it did not verify the email", async () => {
			const { url, session } = await signInWith(notTrusting(), false);
			expect(url.href).toBe(`${notTrusting().origin}/failed?error=account_not_linked`);
			expect(session).toBeNull();
		});
	});
});
