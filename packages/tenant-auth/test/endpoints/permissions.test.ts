import { tenantAccess } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { expectRefusal } from "../support/http/refusal";
import { makePeople } from "../support/worlds/people";

const NONE = { role: null, actions: [], roles: [] };

describe("the permissions of the signed-in user", () => {
	it("name the roles that the user may give", async () => {
		const support = tenantAccess.newRole({ user: ["list", "get"] });
		const { call, owner, admin, member, add } = await makePeople({
			tenants: { roles: { support } },
		});
		const rolesOf = async ({ cookie }: { cookie: string }) =>
			(await call("/tenant/permissions", { cookie })).body.roles;
		expect(await rolesOf(owner)).toEqual(["owner", "admin", "member", "support"]);
		expect(await rolesOf(admin)).toEqual(["admin", "member", "support"]);
		expect(await rolesOf(await add("support"))).toEqual(["member", "support"]);
		expect(await rolesOf(member)).toEqual([]);
	});

	it("are those of this moment, not of the sign-in", async () => {
		const { call, admin, owner } = await makePeople();
		const body = { userId: admin.id, role: "member" };
		await call("/tenant/user/update", { body, cookie: owner.cookie });
		const { body: permissions } = await call("/tenant/permissions", { cookie: admin.cookie });
		expect(permissions).toEqual({ role: "member", actions: [], roles: [] });
	});

	it("are none for an impersonated session of an owner", async () => {
		const { call, manage, owner, tenantId } = await makePeople();
		const impersonation = await manage("/tenant/user/impersonate", {
			body: { tenantId, userId: owner.id, reason: "Ticket 1", setCookie: true },
		});
		const { cookie } = impersonation;
		expect((await call("/get-session", { cookie })).body.user.id).toBe(owner.id);
		expect((await call("/tenant/permissions", { cookie })).body).toEqual(NONE);
	});

	it("are none for a user of the platform", async () => {
		const { call } = await makePeople();
		const user = { name: "Root", email: "root@example.com", password: "correct horse battery" };
		const { cookie } = await call("/sign-up/email", { body: user });
		expect((await call("/tenant/permissions", { cookie })).body).toEqual(NONE);
	});

	it("need a session of the named tenant, which is open", async () => {
		const { call, manage, owner, stranger, tenantId } = await makePeople();
		const ask = (cookie: string) => call("/tenant/permissions", { cookie, tenant: tenantId });
		expectRefusal(await ask(""), 401, "UNAUTHORIZED");
		expectRefusal(await ask(stranger.cookie), 401, "UNAUTHORIZED");
		await manage("/tenant/suspend", { body: { tenantId } });
		expectRefusal(await ask(owner.cookie), 403, "TENANT_SUSPENDED");
	});
});
