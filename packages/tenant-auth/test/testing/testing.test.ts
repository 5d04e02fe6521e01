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

it("createTestTenant names the fields that a user of the app must have, and creates nothing", async () => {
	const { auth, db } = await makeInstance({
		user: { additionalFields: { company: { type: "string" }, plan: { type: "string" } } },
	});
	await expect(createTestTenant(auth, { fields: { plan: "pro" } })).rejects.toThrow(
		"createTestTenant: users of this app need values for company. Pass them: createTestTenant(auth, { fields: { company: … } })",
	);
	expect(await db.selectFrom("tenant").selectAll().execute()).toEqual([]);
	const fields = { company: "Acme", plan: "pro" };
	const { addUser } = await createTestTenant(auth, { fields });
	await expect(addUser()).rejects.toThrow("need values for company, plan");
	expect((await addUser({ fields })).user).toMatchObject(fields);
});
