import { createTestTenant } from "better-auth-tenant/testing";
import { describe, expect, it } from "vitest";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { makeInstance, ORIGIN } from "../support/worlds/instance";

describe.each([
	["the database", () => ({})],
	["a secondary storage", () => ({ secondaryStorage: makeMemoryStorage() })],
])("createTestTenant, with sessions in %s,", (_, options) => {
	it("gives a tenant, a user and headers that are signed in", async () => {
		const { auth } = await makeInstance(options());
		const { tenant, user, session, headers } = await createTestTenant(auth, {
			slug: "acme",
			metadata: { plan: "pro" },
			email: "Ada@example.com",
			fields: { tenantRole: "owner" },
		});
		expect(tenant).toMatchObject({ slug: "acme", metadata: { plan: "pro" } });
		const found = await auth.api.getSession({ headers });
		expect(found).toMatchObject({
			session: { id: session.id, tenantId: tenant.id },
			user: { id: user.id, email: "ada@example.com", emailVerified: true, tenantRole: "owner" },
		});
	});

	it("gives headers for requests that change something", async () => {
		const { auth } = await makeInstance(options());
		const { headers } = await createTestTenant(auth);
		headers.set("content-type", "application/json");
		const url = `${ORIGIN}/api/auth/update-user`;
		const body = JSON.stringify({ name: "Changed" });
		const response = await auth.handler(new Request(url, { method: "POST", headers, body }));
		expect(response.status).toBe(200);
	});

	it("adds users of the same tenant, and removes everything", async () => {
		const { auth, db } = await makeInstance(options());
		const one = await createTestTenant(auth);
		const two = await createTestTenant(auth);
		const another = await one.addUser({ name: "Grace" });
		const found = await auth.api.getSession({ headers: another.headers });
		expect(found?.user).toMatchObject({ name: "Grace", tenantId: one.tenant.id });
		await one.remove();
		expect(await auth.api.getSession({ headers: another.headers })).toBeNull();
		const users = await db.selectFrom("user").select("id").execute();
		expect(users).toEqual([{ id: two.user.id }]);
	});

	it("works in a tenant whose policy lets nobody sign up or in", async () => {
		const { auth } = await makeInstance(options());
		const { tenant, addUser } = await createTestTenant(auth);
		const body = { tenantId: tenant.id, signUp: { mode: "closed" } } as const;
		await auth.api.updateTenantPolicy({ body: { ...body, signIn: { methods: ["social"] } } });
		const { headers } = await addUser();
		expect(await auth.api.getSession({ headers })).not.toBeNull();
	});
});
