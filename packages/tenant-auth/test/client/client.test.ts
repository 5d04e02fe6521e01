import { setTimeout } from "node:timers/promises";
import { Window } from "happy-dom";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { untilHang } from "../../../../testing/time-limits";
import { makeClient } from "../support/http/client";
import { ENDPOINTS } from "../support/worlds/features";
import { type Instance, MANAGEMENT_KEY, makeInstance, ORIGIN } from "../support/worlds/instance";

const password = "correct horse battery";
const management = { authorization: `Bearer ${MANAGEMENT_KEY}` };
const google = {
	providerId: "google",
	clientId: "the-tenants-client",
	clientSecret: "secret",
} as const;

let instance: Instance;
beforeAll(async () => {
	instance = await makeInstance();
});

describe("the typed client", () => {
	it("calls every endpoint with its method", async () => {
		const { client, sent } = makeClient(instance, { headers: management });
		const { tenant } = client;
		const user = { email: "every@example.com", password };

		const created = await tenant.create({ name: "Every", slug: "every", metadata: { a: [1] } });
		const tenantId = created.data?.id as string;
		expect(created.data).toMatchObject({ name: "Every", slug: "every", metadata: { a: [1] } });
		expect(created.data?.createdAt).toBeInstanceOf(Date);
		expect((await tenant.get({ query: { slug: "every" } })).data?.id).toBe(tenantId);
		expect((await tenant.list()).data?.map(({ id }) => id)).toContain(tenantId);
		const listed = (await tenant.list({ query: { limit: 1 } })).data;
		expect([listed?.length, listed?.total]).toEqual([1, (await tenant.list()).data?.length]);
		expect((await tenant.list({ query: { limit: 1, search: "eve" } })).data?.total).toBe(1);
		expect((await tenant.update({ tenantId, name: "All" })).data?.name).toBe("All");

		const registered = await tenant.oauthConfig.register({ tenantId, ...google });
		expect(registered.data).toMatchObject({ tenantId, clientId: google.clientId, enabled: true });
		const configs = await tenant.oauthConfig.list({ query: { tenantId } });
		expect(configs.data).toMatchObject([{ providerId: "google", clientId: google.clientId }]);
		const social = await tenant.signIn.social({ tenantId, provider: "google" });
		expect(social.data?.url).toContain(`client_id=${google.clientId}`);
		const disabled = { tenantId, providerId: "google", enabled: false } as const;
		expect((await tenant.oauthConfig.update(disabled)).data?.enabled).toBe(false);
		expect((await tenant.oauthConfig.delete({ tenantId, providerId: "google" })).data).toEqual({
			success: true,
		});

		const signedUp = await tenant.signUp.email({ tenantId, name: "Ada", ...user });
		expect(signedUp.data).toMatchObject({ user: { tenantId }, session: { tenantId } });
		const signedIn = await tenant.signIn.email({ tenantId, ...user });
		expect(signedIn.data?.session?.expiresAt).toBeInstanceOf(Date);
		expect((await client.getSession()).data?.session.tenantId).toBe(tenantId);

		const own = { id: tenantId, name: "All", slug: "every", branding: {} };
		expect((await tenant.current()).data).toEqual(own);
		expect((await tenant.permissions()).data).toEqual({ role: "member", actions: [], roles: [] });

		const userId = signedUp.data?.user.id as string;
		const options = await tenant.loginOptions({ query: { slug: "every" } });
		expect(options.data).toMatchObject({ tenant: { id: tenantId }, email: { signIn: true } });
		const effective = await tenant.oauthConfig.effective({ query: { tenantId } });
		expect(effective.data?.find((it) => it.providerId === "google")?.source).toBe("none");
		const added = await tenant.domain.add({ tenantId, host: "every.com", purpose: "email" });
		const { id: domainId = "", record } = added.data ?? {};
		expect(added.data).toMatchObject({ host: "every.com", state: "pending" });
		instance.dns.set(String(record?.name), [String(record?.value)]);
		const verified = await tenant.domain.verify({ tenantId, domainId });
		expect(verified.data?.verifiedAt).toBeInstanceOf(Date);
		await tenant.domain.update({ tenantId, domainId, discoverable: true });
		const started = await tenant.chooser.start({ provider: "nowhere", callbackURL: "/home" });
		expect(started.error?.code).toBe("PROVIDER_NOT_FOUND");
		const choices = await tenant.chooser.list({ query: { token: "of-nobody" } });
		expect(choices.error?.code).toBe("TENANT_CHOICE_NOT_FOUND");
		const chosen = await tenant.chooser.choose({ token: "of-nobody", tenantId });
		expect(chosen.error?.code).toBe("TENANT_CHOICE_NOT_FOUND");
		const discovered = await tenant.discover({ query: { email: "ada@every.com" } });
		expect(discovered.data?.tenant).toMatchObject({ id: tenantId, loginHost: null });
		const asked = await tenant.domain.ask({ query: { domain: "every.com" } });
		expect(asked.error?.code).toBe("DOMAIN_NOT_FOUND");
		expect((await tenant.domain.list({ query: { tenantId } })).data).toHaveLength(1);
		expect((await tenant.domain.remove({ tenantId, domainId })).data).toEqual({ success: true });
		const users = await tenant.user.list({ query: { tenantId, search: "every@" } });
		expect(users.data).toMatchObject([{ id: userId, tenantId }]);
		const details = await tenant.user.get({ query: { tenantId, userId } });
		expect(details.data?.sessions).toHaveLength(2);
		const sessions = await tenant.session.list({ query: { tenantId, limit: 1 } });
		const [newest] = sessions.data ?? [];
		expect(newest?.expiresAt).toBeInstanceOf(Date);
		const sessionId = newest?.id as string;
		const done = { success: true };
		expect((await tenant.session.revoke({ tenantId, userId, sessionId })).data).toEqual(done);
		expect((await tenant.user.revokeSessions({ tenantId, userId })).data).toEqual(done);
		const reset = await tenant.user.sendPasswordReset({ tenantId, userId });
		expect(reset.error?.code).toBe("RESET_PASSWORD_DISABLED");
		const imported = await tenant.user.import({
			tenantId,
			users: [{ externalId: "1", email: "imported@example.com" }],
		});
		expect(imported.data).toMatchObject({ created: 1, results: [{ line: 1, status: "created" }] });
		const moved = await tenant.user.move({ tenantId, userIds: [userId], dryRun: true });
		expect(moved.data?.conflicts).toMatchObject([{ code: "USER_IN_TENANT", userId }]);
		const link = await tenant.user.signInLink({ tenantId, userId, reason: "locked out" });
		expect(link.error?.code).toBe("SIGN_IN_LINK_NOT_ALLOWED");
		const guest = { email: "guest@example.com", role: "admin" };
		const invited = await tenant.invitation.create({ tenantId, ...guest });
		expect(invited.data).toMatchObject({ ...guest, status: "pending" });
		const invitationId = invited.data?.id as string;
		const resent = await tenant.invitation.resend({ tenantId, invitationId });
		const token = resent.data?.token as string;
		const invitation = await tenant.invitation.get({ query: { token } });
		expect(invitation.data?.expiresAt).toBeInstanceOf(Date);
		expect((await tenant.invitation.accept({ token })).data?.status).toBe("sign-in-required");
		expect((await tenant.invitation.revoke({ tenantId, invitationId })).data).toEqual(done);
		const invitations = await tenant.invitation.list({ query: { tenantId } });
		expect([invitations.data?.[0]?.status, invitations.data?.total]).toEqual(["revoked", 1]);
		const allowed = await tenant.linkSettings.update({ tenantId, allowed: true });
		expect(allowed.data).toEqual({ allowed: true });
		const allows = await tenant.linkSettings.get({ query: { tenantId } });
		expect(allows.data).toEqual({ allowed: true });
		expect((await tenant.link.start()).error?.code).toBe("UNAUTHORIZED");
		expect((await tenant.link.finish({ linkCode: "x" })).error?.code).toBe("UNAUTHORIZED");
		expect((await tenant.link.list()).error?.code).toBe("UNAUTHORIZED");
		expect((await tenant.link.switch({ tenantId })).error?.code).toBe("LINK_NOT_FOUND");
		expect((await tenant.link.end()).error?.code).toBe("UNAUTHORIZED");
		const policy = await tenant.policy.update({ tenantId, password: { minLength: 12 } });
		expect(policy.data?.password.minLength).toBe(12);
		expect((await tenant.policy.get({ query: { tenantId } })).data).toEqual(policy.data);
		const tested = await tenant.oauthConfig.test({ tenantId, providerId: "google" });
		expect(tested.error?.code).toBe("OAUTH_CONFIG_NOT_FOUND");
		expect((await tenant.signIn.list({ query: { tenantId } })).data).toEqual([]);
		const url = "https://hooks.example.com/every";
		const hook = await tenant.webhook.create({ tenantId, url, eventTypes: ["user.created"] });
		expect(hook.data?.secret).toMatch(/^whsec_/);
		const webhookId = hook.data?.id as string;
		const paused = await tenant.webhook.update({ tenantId, webhookId, enabled: false });
		expect(paused.data?.enabled).toBe(false);
		expect((await tenant.webhook.list({ query: { tenantId } })).data).toHaveLength(1);
		const rotated = await tenant.webhook.rotateSecret({ tenantId, webhookId });
		expect(rotated.data?.secret).not.toBe(hook.data?.secret);
		expect((await tenant.webhook.test({ tenantId, webhookId: "none" })).error?.status).toBe(404);
		expect((await tenant.webhook.delivery.list({ query: { tenantId } })).data).toEqual([]);
		const replayed = await tenant.webhook.delivery.replay({ tenantId, deliveryId: "none" });
		expect(replayed.error?.status).toBe(404);
		expect((await tenant.webhook.delete({ tenantId, webhookId })).data).toEqual(done);
		expect((await tenant.suspend({ tenantId })).data?.suspendedAt).toBeInstanceOf(Date);
		expect((await tenant.resume({ tenantId })).data?.suspendedAt).toBeUndefined();
		const person = { tenantId, name: "Bob", email: "bob@example.com", role: "owner" };
		expect((await tenant.user.create(person)).data).toMatchObject({ tenantRole: "owner" });
		const renamed = await tenant.user.update({ tenantId, userId, name: "Grace" });
		expect(renamed.data?.name).toBe("Grace");
		const acting = await tenant.user.impersonate({ tenantId, userId, reason: "An invoice" });
		expect(acting.data?.session.expiresAt).toBeInstanceOf(Date);
		const cleared = await tenant.user.removeSecondFactor({ tenantId, userId });
		expect(cleared.data?.id).toBe(userId);
		const left = await tenant.user.removePasskeys({ tenantId, userId });
		expect(left.data).toEqual({ removed: 0 });
		const stopped = await tenant.user.disable({ tenantId, userId });
		expect(stopped.data?.disabledAt).toBeInstanceOf(Date);
		expect((await tenant.user.enable({ tenantId, userId })).data?.disabledAt).toBeNull();
		expect((await tenant.user.delete({ tenantId, userId })).data).toEqual(done);
		expect((await tenant.delete({ tenantId })).data).toEqual(done);
		const events = await tenant.audit.list({ query: { tenantId, limit: 1 } });
		expect(events.data).toMatchObject([{ action: "tenant:delete", actor: { kind: "key" } }]);
		expect((await tenant.audit.erase({ tenantId })).data?.erased).toBeGreaterThan(1);

		const endpoints = Object.values(ENDPOINTS)
			// A browser opens these by their URL.
			.filter(
				({ path }) =>
					!/^\/tenant\/(callback\/|sign-in-link$|hand-over$|chooser\/(enter|confirm)$)/.test(path),
			)
			.map(({ path, options }) => `${options.method} ${path}`);
		const reached = new Set(sent.map(({ method, path }) => `${method} ${path}`));
		expect([...reached]).toEqual(expect.arrayContaining(endpoints));
	});

	it("answers an error with its code", async () => {
		const { client } = makeClient(instance);
		const { data, error } = await client.tenant.signIn.email({ email: "a@example.com", password });
		expect(data).toBeNull();
		expect(error).toMatchObject({ status: 400, code: "TENANT_ID_REQUIRED" });
		const unknown = await client.tenant.create({ name: "Acme", slug: "acme" });
		expect(unknown.error).toMatchObject({ status: 401, code: "TENANT_MANAGEMENT_NOT_ALLOWED" });
	});

	it("signs up with the app's additional fields", async () => {
		const host = await makeInstance({
			user: { additionalFields: { company: { type: "string", required: true } } },
		});
		const { client } = makeClient(host, { tenant: await host.makeTenant() });
		const user = { name: "Ada", email: "ada@example.com", password };
		const signedUp = await client.tenant.signUp.email(user, { body: { company: "Acme" } });
		expect(signedUp.data?.user).toMatchObject({ company: "Acme" });
	});
});

describe("the tenant of a client", () => {
	it.each([
		["a value", (id: string) => id],
		["a function", (id: string) => () => id],
		["an async function", (id: string) => async () => id],
	])("is sent with every call, also with core's, when it is %s", async (_, tenantOf) => {
		const tenantId = await instance.makeTenant();
		const { client, sent } = makeClient(instance, { tenant: tenantOf(tenantId) });
		const user = { email: "ada@example.com", password };
		const signedUp = await client.tenant.signUp.email({ name: "Ada", ...user });
		expect(signedUp.data?.session?.tenantId).toBe(tenantId);
		expect((await client.getSession()).data?.user.tenantId).toBe(tenantId);
		await client.signOut();
		expect((await client.signIn.email(user)).data?.user.id).toBe(signedUp.data?.user.id);
		expect(sent.map(({ path }) => path)).toEqual([
			"/tenant/sign-up/email",
			"/get-session",
			"/sign-out",
			"/sign-in/email",
		]);
		for (const { headers } of notEmpty(sent)) expect(headers.get("x-tenant-id")).toBe(tenantId);
	});

	it("is evaluated at each call", async () => {
		const tenants = [await instance.makeTenant(), await instance.makeTenant()];
		let current = tenants[0];
		const { client, sent } = makeClient(instance, { tenant: () => current });
		await client.getSession();
		current = tenants[1];
		await client.getSession();
		expect(sent.map(({ headers }) => headers.get("x-tenant-id"))).toEqual(tenants);
	});

	it.each([undefined, null, "", () => undefined, async () => null])(
		"is not sent if it is empty (%s)",
		async (tenant) => {
			const { client, sent } = makeClient(instance, { tenant });
			await client.getSession();
			expect(sent[0]?.headers.has("x-tenant-id")).toBe(false);
		},
	);

	it("is overridden by a call's own header", async () => {
		const other = await instance.makeTenant();
		const { client, sent } = makeClient(instance, { tenant: await instance.makeTenant() });
		const user = { name: "Ada", email: "ada@example.com", password };
		const signedUp = await client.tenant.signUp.email(user, { headers: { "X-Tenant-Id": other } });
		expect(signedUp.data?.user.tenantId).toBe(other);
		await client.getSession({ fetchOptions: { headers: { "x-tenant-id": other } } });
		expect(sent.map(({ headers }) => headers.get("x-tenant-id"))).toEqual([other, other]);
	});

	it("is sent in the header of the option tenantHeader", async () => {
		const host = await makeInstance({ tenants: { tenantHeader: "x-organization" } });
		const tenant = await host.makeTenant();
		const { client, sent } = makeClient(host, { tenant, tenantHeader: "x-organization" });
		const user = { name: "Ada", email: "ada@example.com", password };
		expect((await client.tenant.signUp.email(user)).data?.user.tenantId).toBe(tenant);
		expect(sent[0]?.headers.has("x-tenant-id")).toBe(false);
	});

	it("excludes a session of another tenant", async () => {
		let tenant = await instance.makeTenant();
		const own = tenant;
		const { client } = makeClient(instance, { tenant: () => tenant });
		await client.tenant.signUp.email({ name: "Ada", email: "ada@example.com", password });
		tenant = await instance.makeTenant();
		expect((await client.getSession()).data).toBeNull();
		tenant = own;
		expect((await client.getSession()).data?.user.email).toBe("ada@example.com");
	});
});

describe("in a browser", () => {
	let window: Window;

	beforeAll(() => {
		window = new Window({ settings: { navigation: { disableMainFrameNavigation: true } } });
		vi.stubGlobal("window", window);
		vi.stubGlobal("document", window.document);
	});
	// The client's session store uses the window again, one second after its last subscriber has left.
	afterAll(async () => {
		await setTimeout(1500);
		vi.unstubAllGlobals();
	});
	beforeEach(() => window.happyDOM.setURL(ORIGIN));

	it("the session is fetched again after a sign-up and a sign-in under a tenant", async () => {
		const { client } = makeClient(instance, { tenant: await instance.makeTenant() });
		const user = { email: "ada@example.com", password };
		const stop = client.useSession.subscribe(() => {});
		const signedInAs = () => client.useSession.get().data?.user.email ?? null;
		await vi.waitFor(() => expect(client.useSession.get().isPending).toBe(false), untilHang);
		expect(signedInAs()).toBeNull();

		await client.tenant.signUp.email({ name: "Ada", ...user });
		await vi.waitFor(() => expect(signedInAs()).toBe(user.email), untilHang);
		await client.signOut();
		await vi.waitFor(() => expect(signedInAs()).toBeNull(), untilHang);
		await client.tenant.signIn.email(user);
		await vi.waitFor(() => expect(signedInAs()).toBe(user.email), untilHang);
		stop();
	});

	it("the tenant of the user is fetched again with the session", async () => {
		const { client } = makeClient(instance);
		const tenantId = await instance.makeTenant("hooked");
		const stop = client.useTenant.subscribe(() => {});
		const slug = () => client.useTenant.get().data?.slug ?? null;
		await vi.waitFor(() => expect(client.useTenant.get().isPending).toBe(false), untilHang);
		expect([slug(), client.useTenant.get().error?.status]).toEqual([null, 401]);

		const user = { name: "Ada", email: "ada@example.com", password };
		await client.tenant.signUp.email({ tenantId, ...user });
		await vi.waitFor(() => expect(slug()).toBe("hooked"), untilHang);
		await client.signOut();
		await vi.waitFor(() => expect(slug()).toBeNull(), untilHang);
		stop();
	});

	it("a social sign-in navigates to the provider, with the tenant's client", async () => {
		const tenant = await instance.makeTenant();
		const manager = makeClient(instance, { tenant, headers: management });
		await manager.client.tenant.oauthConfig.register(google);
		const { client } = makeClient(instance, { tenant });
		await client.tenant.signIn.social({ provider: "google", callbackURL: "/in" });
		const { hostname, searchParams } = new URL(window.location.href);
		expect(hostname).toBe("accounts.google.com");
		expect(searchParams.get("client_id")).toBe(google.clientId);
		expect(searchParams.get("redirect_uri")).toBe(`${ORIGIN}/api/auth/tenant/callback/google`);
	});

	it("a social sign-in with disableRedirect returns the URL and does not navigate", async () => {
		const tenant = await instance.makeTenant();
		const manager = makeClient(instance, { tenant, headers: management });
		await manager.client.tenant.oauthConfig.register(google);
		const { client } = makeClient(instance, { tenant });
		const { data } = await client.tenant.signIn.social({
			provider: "google",
			disableRedirect: true,
		});
		expect(data?.url).toMatch(/^https:\/\/accounts\.google\.com\//);
		expect(new URL(window.location.href).origin).toBe(ORIGIN);
	});
});
