import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Browser } from "../support/browser";
import { cheapPasswords } from "../support/cheap-passwords";
import {
	type Client,
	type IdentityProvider,
	startIdentityProvider,
} from "../support/identity-provider";
import {
	addTenantAt,
	beginSocial,
	hostProvider,
	makeSocialApp,
	readSession,
	type SocialApp,
} from "../support/social-app";

const provider = "gitlab";
const password = "correct horse battery staple";

describe("a tenant's administrator points the tenant's client at an identity provider of his own", () => {
	/** The one that the host trusts, and the one that the administrator runs. */
	let gitlab: IdentityProvider;
	let rogue: IdentityProvider;
	let hostClient: Client;

	beforeAll(async () => {
		gitlab = await startIdentityProvider("gitlab");
		rogue = await startIdentityProvider("gitlab");
		const redirectURIs = ["https://app.example.com/api/auth/tenant/callback/gitlab"];
		hostClient = await gitlab.addClient({ redirectURIs });
	});

	afterAll(async () => {
		await gitlab.close();
		await rogue.close();
	});

	/** A host that trusts its own GitLab, and whose users have proven their addresses. */
	const makeTrustingApp = (trustedProviders: string[] = ["gitlab"]) =>
		makeSocialApp({
			emailAndPassword: cheapPasswords,
			socialProviders: hostProvider("gitlab", gitlab, hostClient),
			account: { accountLinking: { trustedProviders } },
			databaseHooks: {
				user: { create: { before: async (user) => ({ data: { ...user, emailVerified: true } }) } },
			},
		});

	async function signUp(app: SocialApp, email: string, tenantId?: string): Promise<string> {
		const browser = new Browser(app);
		const path = tenantId ? "/tenant/sign-up/email" : "/sign-up/email";
		await browser.fetch(path, { body: { tenantId, email, password, name: "Victim" } });
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

	const newAddress = () => `${randomUUID()}@example.com`;

	it("and asserts a victim's address: it reaches no user of another tenant", async () => {
		const app = await makeTrustingApp();
		const email = newAddress();
		const victim = await signUp(app, email, await app.createTenant());
		const { tenantId } = await addTenantAt(app, "gitlab", rogue);
		const { session } = await signInAs(app, tenantId, rogue, email);
		expect(session?.user).toMatchObject({ email, tenantId });
		expect(session?.user.id).not.toBe(victim);
	});

	it("and asserts a victim's address: it reaches no user of the platform", async () => {
		const app = await makeTrustingApp();
		const email = newAddress();
		const victim = await signUp(app, email);
		const { tenantId } = await addTenantAt(app, "gitlab", rogue);
		const { session } = await signInAs(app, tenantId, rogue, email);
		expect(session?.user).toMatchObject({ email, tenantId });
		expect(session?.user.id).not.toBe(victim);
	});

	it("and asserts a victim's address: it does not silently join a password user of the tenant", async () => {
		const app = await makeTrustingApp();
		const { tenantId } = await addTenantAt(app, "gitlab", rogue);
		const email = newAddress();
		await signUp(app, email, tenantId);
		const { url, session } = await signInAs(app, tenantId, rogue, email);
		expect(url.href).toBe(`${app.origin}/failed?error=account_not_linked`);
		expect(session).toBeNull();
	});

	it("and asserts a victim's address: it does not join a password user where nothing is trusted either", async () => {
		const app = await makeTrustingApp([]);
		const { tenantId } = await addTenantAt(app, "gitlab", rogue);
		const email = newAddress();
		await signUp(app, email, tenantId);
		const { url, session } = await signInAs(app, tenantId, rogue, email);
		expect(url.href).toBe(`${app.origin}/failed?error=account_not_linked`);
		expect(session).toBeNull();
	});

	it("and asserts a victim's account id: it reaches no user of another tenant", async () => {
		const app = await makeTrustingApp();
		const victim = gitlab.addPerson({ email: newAddress() });
		const theirs = await beginSocial(app, { tenantId: await app.createTenant(), provider });
		await theirs.browser.follow(theirs.url, { as: victim });
		const { tenantId } = await addTenantAt(app, "gitlab", rogue);
		const double = rogue.addPerson({ email: newAddress(), number: victim.number });
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		await browser.follow(url, { as: double });
		const session = await readSession(browser);
		expect(session?.user).toMatchObject({ email: double.email, tenantId });
		expect(session?.user.id).not.toBe((await readSession(theirs.browser))?.user.id);
	});

	it("and asserts the account id of a user who came with the host's client: it does not become that user", async () => {
		const app = await makeTrustingApp();
		const tenantId = await app.createTenant();
		const victim = gitlab.addPerson({ email: newAddress() });
		const theirs = await beginSocial(app, { tenantId, provider });
		await theirs.browser.follow(theirs.url, { as: victim });
		const victimId = (await readSession(theirs.browser))?.user.id;
		expect(victimId).toBeTypeOf("string");
		await addTenantAt(app, "gitlab", rogue, { tenantId });
		const double = rogue.addPerson({ email: newAddress(), number: victim.number });
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		await browser.follow(url, { as: double });
		expect((await readSession(browser))?.user.id).not.toBe(victimId);
	});

	it("gains nothing by disabling the client again: the host's trust is in the host's credentials", async () => {
		const app = await makeTrustingApp();
		const { tenantId, config } = await addTenantAt(app, "gitlab", rogue);
		const email = newAddress();
		await signUp(app, email, tenantId);
		await app.registerConfig({ ...config, enabled: false });
		const { url } = await beginSocial(app, { tenantId, provider });
		expect(new URL(url).origin).toBe(gitlab.url);
	});

	describe("while with the host's own credentials", () => {
		async function joinWith(trustedProviders: string[], emailVerified: boolean) {
			const app = await makeTrustingApp(trustedProviders);
			const tenantId = await app.createTenant();
			const email = newAddress();
			const existing = await signUp(app, email, tenantId);
			const person = gitlab.addPerson({ email, emailVerified });
			const { browser, url } = await beginSocial(app, { tenantId, provider });
			const visit = await browser.follow(url, { as: person });
			return { app, existing, url: visit.url, session: await readSession(browser) };
		}

		it("a trusted provider joins a user of the tenant, whatever it says of the address", async () => {
			const { existing, session } = await joinWith(["gitlab"], false);
			expect(session?.user.id).toBe(existing);
		});

		it("a provider that is not trusted joins one whose address it has verified", async () => {
			const { existing, session } = await joinWith([], true);
			expect(session?.user.id).toBe(existing);
		});

		it("a provider that is not trusted does not join one whose address it has not verified", async () => {
			const { app, url, session } = await joinWith([], false);
			expect(url.href).toBe(`${app.origin}/failed?error=account_not_linked`);
			expect(session).toBeNull();
		});
	});
});
