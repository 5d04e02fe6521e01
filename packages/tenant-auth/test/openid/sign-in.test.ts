import { runAcrossTenants, tenantAccess } from "better-auth-tenant";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { Browser } from "../support/http/browser";
import {
	type Client,
	type IdentityProvider,
	startIdentityProvider,
} from "../support/providers/identity-provider";
import { type Instance, makeInstance, ORIGIN } from "../support/worlds/instance";
import {
	beginSocial,
	type ManagedApp,
	manageOverHttp,
	type OAuthConfigInput,
	readSession,
} from "../support/worlds/social-app";

const provider = "oidc:okta";
let people = 0;

/** A whole sign-in at a real OpenID Connect provider that a tenant has registered by its issuer. */
describe.each(eachDatabase)("a tenant's own identity provider on %s", (_, open) => {
	let on: OpenDatabase;
	let instance: Instance;
	let app: ManagedApp;
	let okta: IdentityProvider;
	let keycloak: IdentityProvider;
	let tenantId: string;

	beforeAll(async () => {
		on = await open();
		const { db, type } = on;
		instance = await makeInstance({
			on: { db, type },
			tenants: { allowPrivateProviderHosts: true, roles: { reader: tenantAccess.newRole({}) } },
			trustedOrigins: ["https://www.example.com"],
		});
		const { auth } = instance;
		app = manageOverHttp({ baseURL: `${ORIGIN}/api/auth`, handler: (it) => auth.handler(it) });
		okta = await startIdentityProvider("openid");
		keycloak = await startIdentityProvider("openid");
	});
	afterAll(async () => {
		await okta?.close();
		await keycloak?.close();
		await on?.close();
	});
	beforeEach(async () => {
		tenantId = await instance.makeTenant();
	});

	interface Registration {
		at?: IdentityProvider;
		client?: Partial<Client>;
		config?: Partial<OAuthConfigInput>;
		options?: Record<string, unknown>;
	}

	async function register({
		at = okta,
		client = {},
		config = {},
		options = {},
	}: Registration = {}) {
		const providerId = config.providerId ?? provider;
		const { clientId, clientSecret } = await at.addClient({
			redirectURIs: [app.callbackOf(providerId, tenantId)],
			authentication: "client_secret_basic",
			...client,
		});
		const registration = {
			tenantId,
			clientId,
			clientSecret,
			options: { issuer: at.url, ...options },
			...config,
			providerId,
		};
		await app.registerConfig(registration);
		return registration;
	}

	const newPerson = (change: Record<string, unknown> = {}, at = okta) => {
		people += 1;
		return at.addPerson({ email: `person-${people}@example.com`, ...change });
	};

	async function signIn(as: ReturnType<typeof newPerson>, id = provider) {
		const { browser, url } = await beginSocial(app, { tenantId, provider: id });
		const visit = await browser.follow(url, { as });
		return { browser, url: visit.url, session: await readSession(browser) };
	}

	const rowsOf = (model: string, field: string, value: string) =>
		runAcrossTenants(async () => {
			const { adapter } = await instance.auth.$context;
			return adapter.findMany<Record<string, unknown>>({ model, where: [{ field, value }] });
		});

	const roleOf = async (userId = "") => (await rowsOf("user", "id", userId))[0]?.tenantRole;

	it("creates a user of the tenant, and finds the same one again", async () => {
		await register();
		const person = newPerson({ name: "Ada Lovelace" });
		const { url, session } = await signIn(person);
		expect(url.pathname).toBe("/home");
		expect(session?.user).toMatchObject({ email: person.email, name: "Ada Lovelace", tenantId });
		const [account] = await rowsOf("account", "userId", session?.user.id ?? "");
		expect(account).toMatchObject({ providerId: provider, accountId: person.sub, tenantId });
		expect(account?.authority).toBe(`issuer=${okta.url}`);
		expect((await signIn(person)).session?.user.id).toBe(session?.user.id);
	});

	it("signs in a user who was imported with an account there", async () => {
		const person = newPerson();
		const accounts = [{ providerId: provider, accountId: person.sub }];
		const users = [{ externalId: person.sub, email: person.email, accounts }];
		const importUser = async () => {
			const { results } = await instance.auth.api.importTenantUsers({ body: { tenantId, users } });
			return results[0];
		};
		expect(await importUser()).toMatchObject({ status: "failed", code: "PROVIDER_NOT_FOUND" });
		await register();
		const imported = await importUser();
		expect(imported).toMatchObject({ status: "created" });
		expect((await signIn(person)).session?.user.id).toBe(imported?.userId);
	});

	it("signs in a user whose account was imported by an earlier version, after another import", async () => {
		await register();
		const person = newPerson();
		const accounts = [{ providerId: provider, accountId: person.sub }];
		const body = { tenantId, users: [{ externalId: person.sub, email: person.email, accounts }] };
		const { results } = await instance.auth.api.importTenantUsers({ body });
		await on.db.updateTable("account").set({ authority: null }).execute();
		expect((await signIn(person)).session).toBe(null);
		const again = await instance.auth.api.importTenantUsers({ body });
		expect([again.updated, again.unchanged]).toEqual([1, 0]);
		expect((await signIn(person)).session?.user.id).toBe(results[0]?.userId);
		expect((await instance.auth.api.importTenantUsers({ body })).unchanged).toBe(1);
	});

	it("starts with PKCE, a nonce and the callback of its id", async () => {
		const { clientId } = await register();
		const { url } = await beginSocial(app, { tenantId, provider });
		const { searchParams } = new URL(url);
		expect(Object.fromEntries(searchParams)).toMatchObject({
			response_type: "code",
			client_id: clientId,
			redirect_uri: `${ORIGIN}/api/auth/tenant/callback/oidc:okta:${tenantId}`,
			scope: "openid profile email",
			code_challenge_method: "S256",
			code_challenge: expect.stringMatching(/^[\w-]{43}$/),
			nonce: expect.stringMatching(/^[\w-]{32}$/),
		});
	});

	it.each([
		["in a header", { authentication: "client_secret_basic" }, {}],
		[
			"in the body",
			{ authentication: "client_secret_post" },
			{ clientAuthentication: "client_secret_post" },
		],
	] as const)("sends the secret %s", async (_, client, options) => {
		await register({ client, options });
		expect((await signIn(newPerson())).url.pathname).toBe("/home");
	});

	it("works without a secret, because PKCE protects the code", async () => {
		await register({ client: { authentication: "none" }, config: { clientSecret: "" } });
		expect((await signIn(newPerson())).url.pathname).toBe("/home");
	});

	it("is another provider in another tenant, under the same id", async () => {
		const sub = `shared-${tenantId}`;
		await register();
		const { session: first } = await signIn(newPerson({ sub }));
		tenantId = await instance.makeTenant();
		await register({ at: keycloak });
		const { session: second } = await signIn(newPerson({ sub }, keycloak));
		expect(second?.user.tenantId).toBe(tenantId);
		expect(second?.user.id).not.toBe(first?.user.id);
	});

	it("is one of several in one tenant, each with accounts of its own", async () => {
		const sub = `several-${tenantId}`;
		await register();
		await register({ at: keycloak, config: { providerId: "oidc:keycloak" } });
		const { session: first } = await signIn(newPerson({ sub }));
		const { session: second } = await signIn(newPerson({ sub }, keycloak), "oidc:keycloak");
		expect(second?.user.tenantId).toBe(tenantId);
		expect(second?.user.id).not.toBe(first?.user.id);
	});

	it("is unknown in a tenant that has not registered it, and on the platform", async () => {
		await register();
		const elsewhere = await instance.makeTenant();
		const body = { provider, callbackURL: "/home" };
		const inTenant = await instance.call("/tenant/sign-in/social", {
			body: { ...body, tenantId: elsewhere },
		});
		expect([inTenant.status, inTenant.body.code]).toEqual([404, "PROVIDER_NOT_FOUND"]);
		const onPlatform = await instance.call("/sign-in/social", { body });
		expect([onPlatform.status, onPlatform.body.code]).toEqual([404, "PROVIDER_NOT_FOUND"]);
	});

	it("reads email, name and role from the claims that the tenant names", async () => {
		await register({
			options: {
				claims: { email: "upn", role: "groups" },
				roles: { "App Admins": "admin", Readers: "reader" },
			},
		});
		const upn = `upn-${tenantId}@example.com`.toLowerCase();
		const { session } = await signIn(
			newPerson({ claims: { upn, groups: ["App Admins", "Other"] } }),
		);
		expect(session?.user.email).toBe(upn);
		expect(await roleOf(session?.user.id)).toBe("admin");
		const query = { tenantId, action: "user:map-role" };
		const { body: events } = await instance.manage("/tenant/audit/list", { query });
		expect(events).toMatchObject([{ targetId: session?.user.id, detail: { role: "admin" } }]);
	});

	it("changes the role at each sign-in, but never that of an owner", async () => {
		await register({ options: { claims: { role: "groups" }, roles: { Admins: "admin" } } });
		const claims: { groups: string[] } = { groups: [] };
		const person = newPerson({ claims });
		const id = (await signIn(person)).session?.user.id ?? "";
		expect(await roleOf(id)).toBeNull();
		claims.groups = ["Admins"];
		await signIn(person);
		expect(await roleOf(id)).toBe("admin");
		claims.groups = [];
		await signIn(person);
		expect(await roleOf(id)).toBeNull();
		const { adapter } = await instance.auth.$context;
		await runAcrossTenants(() =>
			adapter.update({
				model: "user",
				where: [{ field: "id", value: id }],
				update: { tenantRole: "owner" },
			}),
		);
		await signIn(person);
		expect(await roleOf(id)).toBe("owner");
		const query = { tenantId, action: "user:map-role" };
		const { body: events } = await instance.manage("/tenant/audit/list", { query });
		const told = { targetId: id, actor: { kind: "server", id: null } };
		expect(events).toMatchObject([
			{ ...told, detail: { role: "member", before: "admin", providerId: provider } },
			{ ...told, detail: { role: "admin", before: "member", providerId: provider } },
		]);
	});

	it("changes no role if the sign-in is refused", async () => {
		await register({ options: { claims: { role: "groups" }, roles: { Admins: "admin" } } });
		const claims: { groups: string[] } = { groups: [] };
		const person = newPerson({ claims });
		const userId = (await signIn(person)).session?.user.id ?? "";
		await instance.manage("/tenant/user/disable", { body: { tenantId, userId } });
		claims.groups = ["Admins"];
		expect((await signIn(person)).session).toBeNull();
		expect(await roleOf(userId)).toBeNull();
	});

	it("does not touch roles if it has no role claim", async () => {
		await register();
		const { session } = await signIn(newPerson({ claims: { groups: ["owner", "admin"] } }));
		expect(await roleOf(session?.user.id)).toBeNull();
	});

	it("is in the login options with its name, and in the effective providers", async () => {
		await register({ options: { name: "Acme Okta" } });
		await register({ at: keycloak, config: { providerId: "oidc:keycloak" } });
		await register({ config: { providerId: "oidc:off", enabled: false } });
		const { body } = await instance.call("/tenant/login-options", { query: { tenantId } });
		expect(body.providers).toEqual(["oidc:keycloak", provider]);
		expect(body.providerNames).toEqual({ [provider]: "Acme Okta", "oidc:keycloak": "keycloak" });
		const effective = await instance.manage("/tenant/oauth-config/effective", {
			query: { tenantId },
		});
		const own = effective.body.filter((it: { name?: string }) => it.name !== undefined);
		expect(own).toMatchObject([
			{ providerId: "oidc:keycloak", source: "tenant", config: "own" },
			{ providerId: "oidc:off", source: "none", config: "disabled" },
			{ providerId: provider, source: "tenant", callbackURL: app.callbackOf(provider, tenantId) },
		]);
	});

	it("answers with a failure that management can see if it is down", async () => {
		const down = await startIdentityProvider("openid");
		await register({ at: down, config: { providerId: "oidc:down" } });
		await down.close();
		const { status, body } = await instance.call("/tenant/sign-in/social", {
			body: { tenantId, provider: "oidc:down" },
		});
		expect([status, body.code]).toEqual([503, "PROVIDER_UNAVAILABLE"]);
		const effective = await instance.manage("/tenant/oauth-config/effective", {
			query: { tenantId },
		});
		const [own] = effective.body.filter((it: { name?: string }) => it.name === "down");
		expect(own.lastFailure).toMatchObject({ code: "provider_unavailable" });
	});

	it("can be linked by a signed-in user, who then signs in with both", async () => {
		await register();
		const email = `linked-${tenantId}@example.com`.toLowerCase();
		const person = newPerson({ email });
		const browser = new Browser(app);
		const signUp = { tenantId, name: "Ada", email, password: "correct horse battery" };
		await browser.fetch("/tenant/sign-up/email", { body: signUp });
		const before = await readSession(browser);
		const response = await browser.fetch("/link-social", {
			body: { provider, callbackURL: "/account", errorCallbackURL: "/failed" },
		});
		const { url }: { url: string } = await response.json();
		expect((await browser.follow(url, { as: person })).url.pathname).toBe("/account");
		expect((await signIn(person)).session?.user.id).toBe(before?.user.id);
	});

	it("gives its tokens and its user info to the user", async () => {
		await register({ config: { scopes: ["offline_access"] } });
		const person = newPerson();
		const { browser, session } = await signIn(person);
		const [account] = await rowsOf("account", "userId", session?.user.id ?? "");
		const accountId = String(account?.id);
		const token = await browser.fetch("/get-access-token", { body: { accountId } });
		expect(await token.json()).toMatchObject({ accessToken: expect.any(String) });
		const info = await browser.fetch(`/account-info?accountId=${accountId}`);
		expect(await info.json()).toMatchObject({ data: { sub: person.sub } });
	});

	describe("signing out", () => {
		const signOut = async (browser: Browser, body: object = {}) =>
			(await browser.fetch("/sign-out", { body })).json();

		it("tells where to sign out at the provider, and where to go afterwards", async () => {
			const { clientId } = await register();
			const { browser } = await signIn(newPerson());
			const { success, url } = await signOut(browser, { callbackURL: "/bye" });
			expect(success).toBe(true);
			const { origin, searchParams } = new URL(url);
			expect(origin).toBe(okta.url);
			expect(Object.fromEntries(searchParams)).toEqual({
				client_id: clientId,
				id_token_hint: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
				post_logout_redirect_uri: `${ORIGIN}/bye`,
			});
			expect((await fetch(url)).status).toBe(200);
			expect(await readSession(browser)).toBeNull();
		});

		it("accepts no address of a stranger", async () => {
			await register();
			const { browser } = await signIn(newPerson());
			const body = { callbackURL: "https://evil.example/" };
			expect((await browser.fetch("/sign-out", { body })).status).toBe(403);
		});

		it("sends no ID token to another server than the one that issued it", async () => {
			await register();
			const { browser } = await signIn(newPerson());
			await register({ at: keycloak });
			expect(await signOut(browser)).toEqual({ success: true });
		});

		it("answers as usual for a user without an account at such a provider", async () => {
			await register();
			const browser = new Browser(app);
			const email = `plain-${tenantId}@example.com`.toLowerCase();
			const body = { tenantId, name: "Ada", email, password: "correct horse battery" };
			await browser.fetch("/tenant/sign-up/email", { body });
			expect(await signOut(browser)).toEqual({ success: true });
		});
	});

	it("is deleted with its tenant", async () => {
		await register();
		await signIn(newPerson());
		await app.deleteTenant(tenantId);
		for (const model of ["tenantOauthConfig", "account", "user"]) {
			expect(await rowsOf(model, "tenantId", tenantId)).toEqual([]);
		}
	});
});
