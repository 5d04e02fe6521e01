import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Browser } from "../support/http/browser";
import { type IdentityProvider, useIdentityProvider } from "../support/providers/identity-provider";
import { directoryId } from "../support/providers/identity-provider/microsoft";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import { MANAGEMENT_KEY, PASSWORD } from "../support/worlds/instance";
import {
	addTenantAt,
	beginSocial,
	makeSocialApp,
	readSession,
	type SocialApp,
} from "../support/worlds/social-app";
import { useWorld } from "../support/worlds/world";

const provider = "gitlab";
const domain = "acme.example";
const refused = "/failed?error=account_not_linked";

/** The app trusts a tenant's identity provider with the emails of some domains. */
describe("trustEmails of an OAuth config", () => {
	const gitlab = useIdentityProvider("gitlab");
	const other = useIdentityProvider("gitlab");
	const microsoft = useIdentityProvider("microsoft");

	/** Everybody counts as an admin of every tenant. The key is the app's. */
	const world = useWorld(() =>
		makeSocialApp({
			emailAndPassword: cheapPasswords,
			tenants: { canManageTenants: () => true },
			databaseHooks: {
				user: { create: { before: async (user) => ({ data: { ...user, emailVerified: true } }) } },
			},
		}),
	);

	const newEmail = (at = domain) => `${randomUUID()}@${at}`;

	async function signUp(app: SocialApp, tenantId: string, email: string): Promise<string> {
		const browser = new Browser(app);
		const body = { tenantId, email, password: PASSWORD, name: "Ada" };
		await browser.fetch("/tenant/sign-up/email", { body });
		const session = await readSession(browser);
		if (!session) throw new Error("The user could not sign up");
		return session.user.id;
	}

	/** Where the browser ends, and who is signed in then. */
	async function signIn(
		app: SocialApp,
		tenantId: string,
		at: IdentityProvider,
		person: Parameters<IdentityProvider["addPerson"]>[0],
		brand = provider,
	) {
		const { browser, url } = await beginSocial(app, { tenantId, provider: brand });
		const visit = await browser.follow(url, { as: at.addPerson(person) });
		const userId = (await readSession(browser))?.user.id;
		return [visit.url.href.replace(app.origin, ""), userId];
	}

	async function manage(app: SocialApp, path: string, body: object, headers = {}) {
		const response = await new Browser(app).fetch(`/tenant/oauth-config/${path}`, {
			body,
			headers,
		});
		return { status: response.status, body: await response.json() };
	}

	const trust = { trustEmails: [domain] };

	it("lets a sign-in join the user of the tenant with that email", async () => {
		const app = world();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab, trust);
		const email = newEmail();
		const userId = await signUp(app, tenantId, email);
		const elsewhere = await signUp(app, await app.createTenant(), email);
		expect(await signIn(app, tenantId, gitlab, { email })).toEqual(["/home", userId]);
		expect(userId).not.toBe(elsewhere);
	});

	it("lets a new user sign up, as without it", async () => {
		const app = world();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab, trust);
		const [url, userId] = await signIn(app, tenantId, gitlab, { email: newEmail() });
		expect([url, typeof userId]).toEqual(["/home", "string"]);
	});

	it.each(["sub.acme.example", "notacme.example", "acme.example.evil.example"])(
		"does not count for the domain %s",
		async (at) => {
			const app = world();
			const { tenantId } = await addTenantAt(app, "gitlab", gitlab, trust);
			const email = newEmail(at);
			await signUp(app, tenantId, email);
			expect(await signIn(app, tenantId, gitlab, { email })).toEqual([refused, undefined]);
		},
	);

	it("does not count for an email that the provider has not verified", async () => {
		const app = world();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab, trust);
		const email = newEmail();
		await signUp(app, tenantId, email);
		const person = { email, emailVerified: false };
		expect(await signIn(app, tenantId, gitlab, person)).toEqual([refused, undefined]);
	});

	it("does not count for a user who has not verified the email", async () => {
		const app = world();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab, trust);
		const email = newEmail();
		const userId = await signUp(app, tenantId, email);
		app.database.prepare("update user set emailVerified = 0 where id = ?").run(userId);
		expect(await signIn(app, tenantId, gitlab, { email })).toEqual([refused, undefined]);
	});

	describe("of Entra", () => {
		const options = () => ({ authority: microsoft.url, tenantId: directoryId });

		it.each([
			["no claim about it", { email_verified: undefined }, true],
			["email_verified", { email_verified: true }, true],
			["email_verified false", { email_verified: false }, false],
			["xms_edov", { email_verified: undefined, xms_edov: true }, true],
			["xms_edov false", { email_verified: undefined, xms_edov: false }, false],
		])("counts for an email with %s: %j, %s", async (_, claims, isJoined) => {
			const app = world();
			const { tenantId } = await addTenantAt(app, "microsoft", microsoft, {
				...trust,
				options: options(),
			});
			const email = newEmail();
			const userId = await signUp(app, tenantId, email);
			const result = await signIn(app, tenantId, microsoft, { email, claims }, "microsoft");
			expect(result).toEqual(isJoined ? ["/home", userId] : [refused, undefined]);
		});

		it.each(["common", "organizations", "consumers", "Common", undefined])(
			"is refused for the directory %s, where every directory could assert an email",
			async (directory) => {
				const app = world();
				const adding = addTenantAt(app, "microsoft", microsoft, {
					...trust,
					options: { authority: microsoft.url, ...(directory ? { tenantId: directory } : {}) },
				});
				await expect(adding).rejects.toThrow("INVALID_PROVIDER_OPTIONS");
			},
		);
	});

	it("is refused for a provider that the tenant does not control", async () => {
		const app = world();
		const tenantId = await app.createTenant();
		const client = { clientId: "client", clientSecret: "secret" };
		const adding = app.registerConfig({ tenantId, providerId: "github", ...client, ...trust });
		await expect(adding).rejects.toThrow("INVALID_PROVIDER_OPTIONS");
	});

	it.each([
		["acme"],
		["*.acme.example"],
		["@acme.example"],
		[""],
		["a b.example"],
		["acme.example."],
	])("is refused with %j, which is not a domain", async (name) => {
		const app = world();
		const adding = addTenantAt(app, "gitlab", gitlab, { trustEmails: [name] });
		await expect(adding).rejects.toThrow("VALIDATION_ERROR");
	});

	it("cannot be set by a tenant's admin, whom canManageTenants allows", async () => {
		const app = world();
		const { tenantId, config } = await addTenantAt(app, "gitlab", gitlab);
		for (const [path, body] of [
			["register", { ...config, trustEmails: [domain] }],
			["register", { ...config, trustEmails: [] }],
			["update", { tenantId, providerId: provider, trustEmails: [domain] }],
		] as const) {
			const { status, body: answer } = await manage(app, path, body);
			expect([status, answer.code]).toEqual([403, "TENANT_MANAGEMENT_NOT_ALLOWED"]);
		}
		const list = await new Browser(app).fetch(`/tenant/oauth-config/list?tenantId=${tenantId}`);
		expect(await list.json()).toMatchObject([{ trustEmails: [] }]);
		expect((await manage(app, "register", config)).status).toBe(200);
	});

	it("can be changed by the app without the secret, and the rest stays", async () => {
		const app = world();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab, { enabled: false });
		const headers = { authorization: `Bearer ${MANAGEMENT_KEY}` };
		const body = { tenantId, providerId: provider, trustEmails: [" ACME.example "] };
		const { body: answer } = await manage(app, "update", body, headers);
		expect(answer).toMatchObject({ enabled: false, trustEmails: [domain] });
		const cleared = await manage(app, "update", { ...body, trustEmails: [] }, headers);
		expect(cleared.body).toMatchObject({ trustEmails: [] });
	});

	it.each([
		["another client", { clientId: "another" }],
		["another issuer", { options: { issuer: "https://gitlab.example.com" }, clientSecret: "s" }],
		["no options", { options: null, clientSecret: "s" }],
	])("ends when a tenant's admin updates the config to %s", async (_, change) => {
		const app = world();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab, trust);
		const body = { tenantId, providerId: provider };
		const kept = await manage(app, "update", { ...body, clientSecret: "new", enabled: true });
		expect(kept.body).toMatchObject({ trustEmails: [domain] });
		const { status, body: changed } = await manage(app, "update", { ...body, ...change });
		expect([status, changed.trustEmails]).toEqual([200, []]);
	});

	it("stays with a new secret, and ends with another client or other options", async () => {
		const app = world();
		const { config } = await addTenantAt(app, "gitlab", gitlab, trust);
		const { trustEmails: _, ...same } = config;
		const register = async (change: object) =>
			(await manage(app, "register", { ...same, ...change })).body.trustEmails;
		expect(await register({ clientSecret: "a new secret" })).toEqual([domain]);
		expect(await register({ options: { issuer: other.url } })).toEqual([]);
		expect(await register({})).toEqual([]);
		expect(await app.registerConfig(config)).toMatchObject({ trustEmails: [domain] });
		expect(await register({ clientId: "another" })).toEqual([]);
	});
});
