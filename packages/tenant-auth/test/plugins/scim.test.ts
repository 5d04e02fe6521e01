import { runInTenant } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { GROUP, makeScimTenants, PATCH, person, STATIC_TOKEN } from "../support/providers/scim";
import { EMAIL, PASSWORD } from "../support/worlds/instance";
import { orders } from "../support/worlds/two-tenants";
import { useWorld } from "../support/worlds/world";

describe.each(orders)("the SCIM plugin, %s", (_, order) => {
	const world = useWorld(() => makeScimTenants(order()));

	it.each(["with the header", "without it"])(
		"provisions users into the token's own tenant, %s",
		async (way) => {
			const { a, tokenOfA, as, usersOf } = world();
			const named = way === "with the header" ? a : undefined;
			const made = await as(tokenOfA, "/Users", { body: person("new@example.com"), tenant: named });
			expect([made.status, made.body.userName]).toEqual([201, "new@example.com"]);
			expect(await usersOf("new@example.com")).toEqual([a]);

			const path = `/Users/${made.body.id}`;
			const { body: list } = await as(tokenOfA, "/Users", { tenant: named });
			expect(list.Resources.map(({ id }: { id: string }) => id)).toEqual([made.body.id]);
			const filter = { filter: 'userName eq "new@example.com"' };
			expect((await as(tokenOfA, "/Users", { query: filter })).body.totalResults).toBe(1);
			expect((await as(tokenOfA, path, { tenant: named })).body.id).toBe(made.body.id);

			const renamed = { ...person("new@example.com"), displayName: "Renamed" };
			const put = await as(tokenOfA, path, { method: "PUT", body: renamed, tenant: named });
			expect(put.body.displayName).toBe("Renamed");
			const patch = { ...PATCH, Operations: [{ op: "replace", path: "active", value: false }] };
			const off = await as(tokenOfA, path, { method: "PATCH", body: patch, tenant: named });
			expect(off.body.active).toBe(false);
			const gone = await as(tokenOfA, path, { method: "DELETE", tenant: named });
			expect(gone.status).toBe(204);
			expect((await as(tokenOfA, path)).status).toBe(404);
		},
	);

	it("keeps the same person and the same group apart in two tenants", async () => {
		const { a, b, tokenOfA, tokenOfB, as, usersOf } = world();
		for (const token of [tokenOfA, tokenOfB]) {
			const user = await as(token, "/Users", { body: person("eve@example.com", "external-1") });
			expect(user.status).toBe(201);
			const body = { ...GROUP, displayName: "Staff", members: [{ value: user.body.id }] };
			const group = await as(token, "/Groups", { body });
			expect([group.status, group.body.members]).toMatchObject([201, [{ value: user.body.id }]]);
			expect((await as(token, "/Groups")).body.totalResults).toBe(1);
		}
		expect((await usersOf("eve@example.com")).sort()).toEqual([a, b].sort());
		const [{ id }] = (await as(tokenOfA, "/Groups")).body.Resources;
		const [{ id: userId }] = (await as(tokenOfA, "/Users")).body.Resources;
		for (const path of [`/Groups/${id}`, `/Users/${userId}`]) {
			for (const method of ["GET", "DELETE"]) {
				expect((await as(tokenOfB, path, { method })).status).toBe(404);
			}
			expect((await as(tokenOfA, path)).status).toBe(200);
		}
	});

	it("rejects a token of A that names B, and uses nothing up", async () => {
		const { b, tokenOfA, as, usersOf, db } = world();
		const before = await db.selectFrom("scimManagedCredential").selectAll().execute();
		for (const path of ["/Users", "/Groups"]) {
			expect((await as(tokenOfA, path, { tenant: b })).status).toBe(401);
		}
		const made = await as(tokenOfA, "/Users", { body: person("new@example.com"), tenant: b });
		expect([made.status, made.body.schemas]).toEqual([
			401,
			["urn:ietf:params:scim:api:messages:2.0:Error"],
		]);
		expect(await usersOf("new@example.com")).toEqual([]);
		expect(await db.selectFrom("scimManagedCredential").selectAll().execute()).toEqual(before);
		expect((await as(tokenOfA, "/Users")).status).toBe(200);
	});

	it("rejects an unknown token, with any session", async () => {
		const { tokenOfA, as, ada } = world();
		const forged = `${tokenOfA.slice(0, -4)}0000`;
		for (const token of [forged, "ba_scim_credential_unknown.secret", "nothing"]) {
			for (const cookie of ["", ada.cookie]) {
				expect((await as(token, "/Users", { cookie })).status).toBe(401);
			}
		}
	});

	it("refuses a token while its tenant is suspended, and knows it no more after a deletion", async () => {
		const { a, manage, tokenOfA, tokenOfB, as, usersOf, db } = world();
		const create = () => as(tokenOfA, "/Users", { body: person("late@example.com") });
		await as(tokenOfA, "/Users", { body: person("early@example.com") });
		await manage("/tenant/suspend", { body: { tenantId: a } });
		expect((await create()).status).toBe(403);
		expect((await as(tokenOfA, "/Users", { tenant: a })).status).toBe(403);
		await manage("/tenant/resume", { body: { tenantId: a } });
		expect((await as(tokenOfA, "/Users")).body.totalResults).toBe(1);
		expect((await manage("/tenant/delete", { body: { tenantId: a } })).status).toBe(200);
		expect((await create()).status).toBe(401);
		expect(await usersOf("late@example.com")).toEqual([]);
		for (const table of ["scimUser", "scimSubject", "scimConnectionBinding"]) {
			expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
		}
		expect(await db.selectFrom("scimManagedCredential").selectAll().execute()).toHaveLength(1);
		expect((await as(tokenOfB, "/Users")).status).toBe(200);
	});

	it("links by email inside of the token's tenant only", async () => {
		const { a, b, tokenOfA, as, db, signIn, signUp, call } = world();
		await signUp(b, "only-b@example.com");
		const platform = { name: "P", email: "only-platform@example.com", password: PASSWORD };
		await call("/sign-up/email", { body: platform });
		for (const email of [EMAIL, "only-b@example.com", "only-platform@example.com"]) {
			const made = await as(tokenOfA, "/Users", { body: person(email) });
			expect(made.status).toBe(201);
			const changed = person(`taken-${email}`);
			await as(tokenOfA, `/Users/${made.body.id}`, { method: "PUT", body: changed });
		}
		const users = await db.selectFrom("user").select(["email", "tenantId"]).execute();
		const foreign = users.filter(({ tenantId }) => tenantId !== a).map(({ email }) => email);
		expect(foreign.sort()).toEqual([EMAIL, "only-b@example.com", "only-platform@example.com"]);
		expect((await signIn(b)).status).toBe(200);
	});

	it("does not let a session decide: a static token works on the platform only", async () => {
		const { a, as, ada, usersOf } = world();
		const body = person("static@example.com");
		const named = await as(STATIC_TOKEN, "/Users", { body, tenant: a, cookie: ada.cookie });
		expect([named.status, await usersOf("static@example.com")]).toEqual([401, []]);
		const made = await as(STATIC_TOKEN, "/Users", { body, cookie: ada.cookie });
		expect([made.status, await usersOf("static@example.com")]).toEqual([201, [""]]);
		expect((await as(STATIC_TOKEN, "/Users")).body.totalResults).toBe(1);
	});

	it("manages the connections of one tenant from inside of that tenant", async () => {
		const { auth, api, a, b, connectionOfA } = world();
		const list = (tenantId: string) =>
			runInTenant(auth, tenantId, () =>
				api.listSCIMManagedConnections({ body: { provisioningDomainId: "staff" } }),
			);
		expect((await list(a)).connections.map(({ connectionId }) => connectionId)).toEqual([
			connectionOfA,
		]);
		expect((await list(b)).connections).toHaveLength(1);
		const body = { connectionId: connectionOfA, provisioningDomainId: "staff", actorId: "admin" };
		const decommission = () => api.decommissionSCIMManagedConnection({ body });
		await expect(runInTenant(auth, b, decommission)).rejects.toThrow("not found");
		await expect(decommission()).rejects.toThrow("not found");
		expect((await runInTenant(auth, a, decommission)).decommission.status).toBe("complete");
	});
});
