import { describe, expect, it } from "vitest";
import { expectRefusal } from "../support/http/refusal";
import { makePeople } from "../support/worlds/people";
import { useWorld } from "../support/worlds/world";

describe("a call that names no tenant", () => {
	const world = useWorld(() => makePeople());

	it("gets the own tenant of an owner, and changes it", async () => {
		const { call, owner, tenantId, otherTenantId, manage } = world();
		const { cookie } = owner;
		expect((await call("/tenant/get", { cookie })).body.id).toBe(tenantId);
		const renamed = await call("/tenant/update", { body: { name: "Renamed" }, cookie });
		expect([renamed.status, renamed.body.id, renamed.body.name]).toEqual([
			200,
			tenantId,
			"Renamed",
		]);
		const other = await manage("/tenant/get", { query: { id: otherTenantId } });
		expect(other.body.name).not.toBe("Renamed");
	});

	it("lists the audit events of the own tenant of an owner, and no others", async () => {
		const { call, manage, owner, stranger, tenantId, otherTenantId } = world();
		await call("/tenant/update", { body: { name: "One" }, cookie: owner.cookie });
		await call("/tenant/update", { body: { name: "Two" }, cookie: stranger.cookie });
		const { body } = await call("/tenant/audit/list", { cookie: owner.cookie });
		const tenantsOf = (events: { tenantId: string }[]) => [
			...new Set(events.map((event) => event.tenantId)),
		];
		expect(tenantsOf(body)).toEqual([tenantId]);
		// Those who manage all tenants still see all events.
		const all = await manage("/tenant/audit/list");
		expect(tenantsOf(all.body)).toContain(otherTenantId);
	});

	it("is refused for those who manage all tenants, with the reason", async () => {
		const { manage } = world();
		expectRefusal(await manage("/tenant/get"), 400, "TENANT_ID_REQUIRED");
		const update = await manage("/tenant/update", { body: { name: "Renamed" } });
		expectRefusal(update, 400, "TENANT_ID_REQUIRED");
	});

	it("is refused for a role that does not permit it, and for a slug that nobody has", async () => {
		const { call, member, owner } = world();
		const refused = "TENANT_MANAGEMENT_NOT_ALLOWED";
		expectRefusal(await call("/tenant/get", { cookie: member.cookie }), 403, refused);
		const body = { name: "Renamed" };
		expectRefusal(await call("/tenant/update", { body, cookie: member.cookie }), 403, refused);
		expectRefusal(await call("/tenant/audit/list", { cookie: member.cookie }), 403, refused);
		const query = { slug: "nobody" };
		expectRefusal(await call("/tenant/get", { query, cookie: owner.cookie }), 403, refused);
		expectRefusal(await call("/tenant/get"), 401, refused);
	});
});
