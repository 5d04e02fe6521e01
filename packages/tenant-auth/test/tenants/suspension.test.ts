import { apiKey } from "@better-auth/api-key";
import { createAuthMiddleware } from "better-auth/api";
import { getCurrentTenantId, runAcrossTenants, runInTenant } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { type Instance, makeInstance } from "../support/instance";
import { makeMemoryStorage } from "../support/memory-storage";

interface KeyApi {
	verifyApiKey(input: { body: { key: string } }): Promise<{ valid: boolean }>;
}

const email = "ada@example.com";
const password = "correct horse battery";
const SUSPENDED = [403, "TENANT_SUSPENDED"];

const codeOf = ({ status, body }: { status: number; body: { code?: string } | null }) => [
	status,
	body?.code,
];

async function makeSuspended(host: Instance) {
	const tenantId = await host.makeTenant();
	const { cookie, body } = await host.signUp(tenantId, email, password);
	await host.manage("/tenant/suspend", { body: { tenantId } });
	return { tenantId, cookie, userId: body.user.id as string };
}

const stores = {
	"the database": {},
	"a secondary storage": () => ({ secondaryStorage: makeMemoryStorage() }),
};

describe.each(Object.entries(stores))("a suspended tenant with sessions in %s", (_, options) => {
	const make = () => makeInstance(typeof options === "function" ? options() : options);

	it("refuses every session, and takes it again afterwards", async () => {
		const host = await make();
		const { tenantId, cookie } = await makeSuspended(host);
		const refused = await host.call("/get-session", { cookie });
		expect(refused.body).toBeNull();
		expect(refused.headers.get("set-cookie")).toBeNull();
		expect(codeOf(await host.call("/get-session", { cookie, tenant: tenantId }))).toEqual(
			SUSPENDED,
		);
		expect((await host.call("/list-sessions", { cookie })).status).toBe(401);
		await host.manage("/tenant/resume", { body: { tenantId } });
		const again = await host.call("/get-session", { cookie });
		expect(again.body.user.email).toBe(email);
	});

	it("does not stop work across tenants from finding a user and making a session", async () => {
		const host = await make();
		const { userId } = await makeSuspended(host);
		const { internalAdapter } = await host.auth.$context;
		const session = await runAcrossTenants(async () => {
			expect(await internalAdapter.findUserById(userId)).not.toBeNull();
			return internalAdapter.createSession(userId);
		});
		expect(session.userId).toBe(userId);
	});

	it("answers every way in with TENANT_SUSPENDED", async () => {
		const host = await make();
		const { tenantId } = await makeSuspended(host);
		const config = { tenantId, providerId: "google", clientId: "id", clientSecret: "secret" };
		const ways = () =>
			Promise.all([
				host.call("/tenant/sign-in/email", { body: { tenantId, email, password } }),
				host.call("/sign-in/email", { body: { email, password }, tenant: tenantId }),
				host.signUp(tenantId, "new@example.com"),
				host.call("/tenant/sign-in/social", { body: { tenantId, provider: "google" } }),
				host.call("/tenant/login-options", { query: { tenantId } }),
			]);
		for (const answer of await ways()) expect(codeOf(answer)).toEqual(SUSPENDED);
		// A config that is registered meanwhile opens no door either.
		await host.manage("/tenant/oauth-config/register", { body: config });
		for (const answer of await ways()) expect(codeOf(answer)).toEqual(SUSPENDED);
		await host.manage("/tenant/resume", { body: { tenantId } });
		for (const answer of await ways()) expect(answer.status).toBe(200);
	});

	it("does not concern its neighbor or the platform", async () => {
		const host = await make();
		await makeSuspended(host);
		const other = await host.makeTenant();
		expect((await host.signUp(other, email, password)).status).toBe(200);
		const body = { email, password, name: "Ada" };
		expect((await host.call("/sign-up/email", { body })).status).toBe(200);
	});

	it("can be managed, and deleted", async () => {
		const host = await make();
		const { tenantId } = await makeSuspended(host);
		const tenant = await host.manage("/tenant/get", { query: { id: tenantId } });
		expect(tenant.body.suspendedAt).toEqual(expect.any(String));
		const users = await host.manage("/tenant/user/list", { query: { tenantId } });
		expect(users.body).toHaveLength(1);
		const deleted = await host.manage("/tenant/delete", { body: { tenantId } });
		expect(deleted.body).toEqual({ success: true });
	});
});

it("lets nobody finish a sign-in that began before the suspension", async () => {
	const mails: string[] = [];
	const host = await makeInstance({
		emailVerification: {
			autoSignInAfterVerification: true,
			sendOnSignUp: true,
			sendVerificationEmail: async ({ token }) => void mails.push(token),
		},
	});
	const { tenantId } = await makeSuspended(host);
	const answer = await host.call("/verify-email", { query: { token: mails[0] as string } });
	expect(codeOf(answer)).toEqual(SUSPENDED);
	await host.manage("/tenant/resume", { body: { tenantId } });
});

it("is told of a tenant only while it lasts", async () => {
	const host = await makeInstance();
	const { tenantId } = await makeSuspended(host);
	const { body } = await host.manage("/tenant/resume", { body: { tenantId } });
	expect(Object.keys(body)).toEqual(["id", "name", "slug", "metadata", "createdAt", "updatedAt"]);
});

it.each(["suspend", "delete"])("a %s writes nothing to the storage of sessions", async (change) => {
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
	const { cookie } = await host.signUp(tenantId, email, password);
	written.length = 0;
	await host.manage(`/tenant/${change}`, { body: { tenantId } });
	expect(written).toEqual([]);
	expect((await host.call("/get-session", { cookie })).body).toBeNull();
});

it.each([
	["suspend", "update"],
	["resume", "update"],
])("a %s is one update of one row", async (change, verb) => {
	const host = await makeInstance();
	const tenantId = await host.makeTenant();
	await host.signUp(tenantId, email, password);
	host.statements.length = 0;
	await host.manage(`/tenant/${change}`, { body: { tenantId } });
	const changes = host.statements.filter((sql) => sql.startsWith(verb));
	expect(changes).toEqual([expect.stringContaining('update "tenant"')]);
});

it("still has an id for a hook of the app that asks for it, and its sessions are null", async () => {
	const seen: (string | null)[] = [];
	const host = await makeInstance({
		hooks: {
			before: createAuthMiddleware(async ({ path }) => {
				if (path === "/get-session") seen.push(await getCurrentTenantId());
			}),
		},
	});
	const { tenantId, cookie } = await makeSuspended(host);
	const { status, body } = await host.call("/get-session", { cookie });
	expect([status, body, seen]).toEqual([200, null, [tenantId]]);
});

it("is refused by runInTenant, also for API keys, unless the caller asks for it", async () => {
	const host = await makeInstance({ plugins: [apiKey()] });
	const tenantId = await host.makeTenant();
	const { cookie } = await host.signUp(tenantId, email, password);
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
