import { apiKey } from "@better-auth/api-key";
import { createAuthMiddleware } from "better-auth/api";
import { getCurrentTenantId, runAcrossTenants, runInTenant } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { expectRefusal } from "../support/http/refusal";
import {
	type Answer,
	CREDENTIALS,
	EMAIL,
	type InstanceOptions,
	makeInstance,
	PASSWORD,
} from "../support/worlds/instance";
import { useWorld } from "../support/worlds/world";

interface KeyApi {
	verifyApiKey(input: { body: { key: string } }): Promise<{ valid: boolean }>;
}

const expectSuspended = (answer: Answer) => expectRefusal(answer, 403, "TENANT_SUSPENDED");

/** An instance with a suspended tenant. */
async function setUp(options: InstanceOptions = {}) {
	const host = await makeInstance(options);
	const tenantId = await host.makeTenant();
	const { cookie, body } = await host.signUp(tenantId);
	await host.manage("/tenant/suspend", { body: { tenantId } });
	return { ...host, tenantId, cookie, userId: body.user.id as string };
}

const stores: [string, () => InstanceOptions][] = [
	["the database", () => ({})],
	["secondary storage", () => ({ secondaryStorage: makeMemoryStorage() })],
];

describe.each(stores)("a suspended tenant with sessions in %s", (_, options) => {
	const world = useWorld(() => setUp(options()));

	it("rejects every session, and accepts it again after a resume", async () => {
		const { call, manage, tenantId, cookie } = world();
		const rejected = await call("/get-session", { cookie });
		expect(rejected.body).toBeNull();
		expect(rejected.headers.get("set-cookie")).toBeNull();
		expectSuspended(await call("/get-session", { cookie, tenant: tenantId }));
		expect((await call("/list-sessions", { cookie })).status).toBe(401);
		await manage("/tenant/resume", { body: { tenantId } });
		const again = await call("/get-session", { cookie });
		expect(again.body.user.email).toBe(EMAIL);
	});

	it("lets work across tenants find a user and create a session", async () => {
		const { auth, userId } = world();
		const { internalAdapter } = await auth.$context;
		const session = await runAcrossTenants(async () => {
			expect(await internalAdapter.findUserById(userId)).not.toBeNull();
			return internalAdapter.createSession(userId);
		});
		expect(session.userId).toBe(userId);
	});

	it("rejects a user whom work across tenants has created in it", async () => {
		const { auth, call, tenantId } = world();
		const { adapter, password } = await auth.$context;
		const email = "imported@example.com";
		await runAcrossTenants(async () => {
			const user = { name: "Imported", email, emailVerified: true, tenantId };
			const { id } = await adapter.create<Record<string, unknown>, { id: string }>({
				model: "user",
				data: { ...user, createdAt: new Date(), updatedAt: new Date() },
			});
			await adapter.create({
				model: "account",
				data: {
					userId: id,
					accountId: id,
					providerId: "credential",
					password: await password.hash(PASSWORD),
					tenantId,
					createdAt: new Date(),
					updatedAt: new Date(),
				},
			});
		});
		const body = { email, password: PASSWORD };
		expectSuspended(await call("/tenant/sign-in/email", { body: { ...body, tenantId } }));
		expectSuspended(await call("/sign-in/email", { tenant: tenantId, body }));
	});

	it("rejects every way to sign in with TENANT_SUSPENDED", async () => {
		const { call, manage, signIn, signUp, tenantId } = world();
		const config = { tenantId, providerId: "google", clientId: "id", clientSecret: "secret" };
		const ways = () =>
			Promise.all([
				signIn(tenantId),
				call("/sign-in/email", { body: CREDENTIALS, tenant: tenantId }),
				signUp(tenantId, "new@example.com"),
				call("/tenant/sign-in/social", { body: { tenantId, provider: "google" } }),
				call("/tenant/login-options", { query: { tenantId } }),
			]);
		for (const answer of notEmpty(await ways())) expectSuspended(answer);
		// An OAuth config that is registered now does not help.
		await manage("/tenant/oauth-config/register", { body: config });
		for (const answer of notEmpty(await ways())) expectSuspended(answer);
		await manage("/tenant/resume", { body: { tenantId } });
		for (const answer of notEmpty(await ways())) expect(answer.status).toBe(200);
	});

	it("does not affect another tenant or the platform", async () => {
		const { call, makeTenant, signUp } = world();
		expect((await signUp(await makeTenant())).status).toBe(200);
		const body = { ...CREDENTIALS, name: "Ada" };
		expect((await call("/sign-up/email", { body })).status).toBe(200);
	});

	it("can be managed and deleted", async () => {
		const { manage, tenantId } = world();
		const tenant = await manage("/tenant/get", { query: { id: tenantId } });
		expect(tenant.body.suspendedAt).toEqual(expect.any(String));
		const users = await manage("/tenant/user/list", { query: { tenantId } });
		expect(users.body).toHaveLength(1);
		const deleted = await manage("/tenant/delete", { body: { tenantId } });
		expect(deleted.body).toEqual({ success: true });
	});
});

it("a sign-in that began before a suspension cannot be finished", async () => {
	const mails: string[] = [];
	const { call } = await setUp({
		emailVerification: {
			autoSignInAfterVerification: true,
			sendOnSignUp: true,
			sendVerificationEmail: async ({ token }) => void mails.push(token),
		},
	});
	expectSuspended(await call("/verify-email", { query: { token: String(mails[0]) } }));
});

it("a tenant has suspendedAt only while it is suspended", async () => {
	const { manage, tenantId } = await setUp();
	const { body } = await manage("/tenant/resume", { body: { tenantId } });
	expect(Object.keys(body)).toEqual(["id", "name", "slug", "metadata", "createdAt", "updatedAt"]);
});

it.each(["suspend", "delete"])("a %s writes nothing to secondary storage", async (change) => {
	const storage = makeMemoryStorage();
	const written: string[] = [];
	const host = await makeInstance({
		secondaryStorage: {
			...storage,
			set: async (key, value, ttl) => {
				written.push(key);
				await storage.set(key, value, ttl);
			},
		},
	});
	const tenantId = await host.makeTenant();
	const { cookie, body } = await host.signUp(tenantId);
	written.length = 0;
	await host.manage(`/tenant/${change}`, { body: { tenantId } });
	// Newer versions of Better Auth write one entry for a deleted user. It is deleted with the tenant.
	const entry = `revoked-sessions-before-${body.user.id}`;
	expect(written.filter((key) => change === "suspend" || key !== entry)).toEqual([]);
	expect(await storage.get(entry)).toBeNull();
	expect((await host.call("/get-session", { cookie })).body).toBeNull();
});

it.each([
	["suspend", "update"],
	["resume", "update"],
])("a %s is one update of one row", async (change, verb) => {
	const host = await makeInstance();
	const tenantId = await host.makeTenant();
	await host.signUp(tenantId);
	host.statements.length = 0;
	await host.manage(`/tenant/${change}`, { body: { tenantId } });
	const changes = host.statements.filter((sql) => sql.startsWith(verb));
	expect(changes).toEqual([expect.stringContaining('update "tenant"')]);
});

it("runInTenant rejects a suspended tenant, also for API keys, without allowSuspended", async () => {
	const host = await makeInstance({ plugins: [apiKey()] });
	const tenantId = await host.makeTenant();
	const { cookie } = await host.signUp(tenantId);
	const { key } = (await host.call("/api-key/create", { cookie, body: { name: "robot" } })).body;
	const verify = () => (host.auth.api as unknown as KeyApi).verifyApiKey({ body: { key } });
	expect((await runInTenant(host.auth, tenantId, verify)).valid).toBe(true);
	await host.manage("/tenant/suspend", { body: { tenantId } });
	await expect(runInTenant(host.auth, tenantId, verify)).rejects.toThrow("is suspended");
	const entered = await runInTenant(host.auth, tenantId, getCurrentTenantId, {
		allowSuspended: true,
	});
	expect(entered).toBe(tenantId);
});

it("hooks of the app get the id of a suspended tenant, and get-session answers null", async () => {
	const seen: (string | null)[] = [];
	const host = await makeInstance({
		hooks: {
			before: createAuthMiddleware(async ({ path }) => {
				if (path === "/get-session") seen.push(await getCurrentTenantId());
			}),
		},
	});
	const tenantId = await host.makeTenant();
	const { cookie } = await host.signUp(tenantId);
	await host.manage("/tenant/suspend", { body: { tenantId } });
	const { status, body } = await host.call("/get-session", { cookie });
	expect([status, body, seen]).toEqual([200, null, [tenantId]]);
});
