import { admin } from "better-auth/plugins";
import { organization } from "better-auth/plugins/organization";
import { organizationToTenant } from "better-auth-tenant/imports";
import { describe, expect, it } from "vitest";
import { makeInstance, PASSWORD } from "../support/worlds/instance";

/** Platform users, one of whom is an admin for Better Auth's admin plugin only. */
async function makeWorld() {
	const app = await makeInstance({ plugins: [admin(), organization()] });
	const add = async (name: string) => {
		const body = { name, email: `${name}@example.com`, password: PASSWORD };
		const answer = await app.call("/sign-up/email", { body });
		return { id: String(answer.body.user.id), cookie: answer.cookie };
	};
	const [operator, ada] = [await add("operator"), await add("ada")];
	await app.db.updateTable("user").set({ role: "admin" }).where("id", "=", operator.id).execute();
	return { ...app, operator, ada };
}

describe("an admin of Better Auth's admin plugin", () => {
	it("does not move into a tenant, where they would be an admin of its users", async () => {
		const { manage, call, makeTenant, signUp, operator, ada } = await makeWorld();
		const tenantId = await makeTenant();
		const { body: user } = await signUp(tenantId, "user@example.com");
		const body = { tenantId, userIds: [operator.id, ada.id] };
		const answer = await manage("/tenant/user/move", { body });
		expect(answer.status).toBe(409);
		expect(answer.body.conflicts).toEqual([
			expect.objectContaining({ code: "PLATFORM_ADMIN", userId: operator.id }),
		]);
		const query = { id: String(user.user.id) };
		const found = await call("/admin/get-user", { query, cookie: operator.cookie });
		expect(found.status).not.toBe(200);
	});

	it("is not copied into a tenant either", async () => {
		const { auth, call, operator } = await makeWorld();
		const created = [];
		for (const slug of ["one", "two"]) {
			const body = { name: slug, slug };
			created.push((await call("/organization/create", { body, cookie: operator.cookie })).body);
		}
		const organizationId = String(created[0]?.id);
		const options = { organizationId, inSeveral: "copy" } as const;
		const report = await organizationToTenant(auth, { ...options, dryRun: true });
		expect(report.conflicts).toEqual([
			expect.objectContaining({ code: "PLATFORM_ADMIN", userId: operator.id }),
		]);
		await expect(organizationToTenant(auth, options)).rejects.toMatchObject({
			body: { code: "MOVE_REFUSED" },
		});
	});
});
