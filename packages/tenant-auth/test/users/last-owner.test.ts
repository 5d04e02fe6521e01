import { admin, anonymous } from "better-auth/plugins";
import { runInTenant } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { rulesOf } from "../../src/call/context/endpoint-rules";
import { endpointSources } from "../support/http/endpoint-sources";
import { expectRefusal } from "../support/http/refusal";
import { PASSWORD } from "../support/worlds/instance";
import { makePeople } from "../support/worlds/people";

/** A tenant with people, and a platform admin who acts in it through the admin plugin. */
async function makeWorld() {
	const app = await makePeople({
		plugins: [admin(), anonymous()],
		user: { deleteUser: { enabled: true } },
		tenants: { adminRoles: ["admin"] },
	});
	const credentials = { email: "operator@example.com", password: PASSWORD };
	const { body } = await app.call("/sign-up/email", { body: { name: "Operator", ...credentials } });
	await app.db.updateTable("user").set({ role: "admin" }).where("id", "=", body.user.id).execute();
	const { cookie } = await app.call("/sign-in/email", { body: credentials });
	const act = (path: string, body: object) =>
		app.call(`/admin${path}`, { cookie, tenant: app.tenantId, body });
	return { ...app, act };
}

const ACTS: [string, (userId: string) => object][] = [
	["/remove-user", (userId) => ({ userId })],
	["/ban-user", (userId) => ({ userId })],
	["/ban-user", (userId) => ({ userId, banExpiresIn: 60 })],
	["/update-user", (userId) => ({ userId, data: { banned: true } })],
];

describe("through the admin plugin, the last owner", () => {
	it.each(ACTS)("stays: %s", async (path, bodyOf) => {
		const { act, read, add, call, signIn, owner, tenantId } = await makeWorld();
		const before = await read(owner);
		expectRefusal(await act(path, bodyOf(owner.id)), 409, "LAST_OWNER");
		expect(await read(owner)).toEqual(before);
		const session = await call("/get-session", { cookie: owner.cookie });
		expect(session.body.user.id).toBe(owner.id);
		expect((await signIn(tenantId, { email: owner.email })).status).toBe(200);
		await add("owner");
		expect((await act(path, bodyOf(owner.id))).status).toBe(200);
	});

	it("is not somebody who is banned or disabled", async () => {
		const { act, manage, add, owner, tenantId } = await makeWorld();
		const [banned, disabled] = [await add("owner"), await add("owner")];
		expect((await act("/ban-user", { userId: banned.id })).status).toBe(200);
		const disable = { tenantId, userId: disabled.id };
		expect((await manage("/tenant/user/disable", { body: disable })).status).toBe(200);
		expectRefusal(await act("/remove-user", { userId: owner.id }), 409, "LAST_OWNER");
		for (const { id } of [banned, disabled]) {
			expect((await act("/remove-user", { userId: id })).status).toBe(200);
		}
		await act("/unban-user", { userId: owner.id });
	});

	it.each(["/update-user", "/create-user"])(
		"is not made there, and nobody is enabled there: %s",
		async (path) => {
			const { act, read, db, member, admin } = await makeWorld();
			await db.updateTable("user").set({ role: "admin" }).where("id", "=", admin.id).execute();
			const body = { userId: member.id, email: "new@example.com", name: "New", password: PASSWORD };
			for (const data of [{ tenantRole: "owner" }, { disabledAt: null }, { tenantRole: null }]) {
				const answer = await act(path, { ...body, data });
				expectRefusal(answer, 400, "FIELD_NOT_ALLOWED");
			}
			expect((await read(member))?.tenantRole).toBe("member");
			expect(
				await db.selectFrom("user").where("email", "=", "new@example.com").selectAll().execute(),
			).toEqual([]);
		},
	);
});

describe("the check of the last owner", () => {
	it.each<[string, object]>([
		["/tenant/user/update", { role: "member" }],
		["/tenant/user/disable", {}],
		["/tenant/user/delete", {}],
	])("changes the tenant's row, so that two nodes of a cluster collide: %s", async (path, rest) => {
		const { manage, add, db, tenantId } = await makeWorld();
		const { id: userId } = await add("owner");
		const old = new Date(0).toISOString();
		await db.updateTable("tenant").set({ updatedAt: old }).execute();
		expect((await manage(path, { body: { tenantId, userId, ...rest } })).status).toBe(200);
		const tenant = await db.selectFrom("tenant").selectAll().executeTakeFirst();
		expect(tenant?.updatedAt).not.toBe(old);
	});
});

describe("a refused deletion of the last owner", () => {
	type World = Awaited<ReturnType<typeof makeWorld>>;
	const DELETIONS: Record<string, (world: World) => Promise<{ status: number }>> = {
		"/admin/remove-user": ({ act, owner }) => act("/remove-user", { userId: owner.id }),
		"/delete-user": ({ call, owner: { cookie } }) =>
			call("/delete-user", { cookie, body: { password: PASSWORD } }),
		"/delete-anonymous-user": async ({ call, db, owner: { id, cookie } }) => {
			await db.updateTable("user").set({ isAnonymous: 1 }).where("id", "=", id).execute();
			return call("/delete-anonymous-user", { cookie, body: {} });
		},
		"/tenant/user/delete": ({ manage, owner: { id }, tenantId }) =>
			manage("/tenant/user/delete", { body: { tenantId, userId: id } }),
	};

	it.each(Object.entries(DELETIONS))("ends no session: %s", async (_, remove) => {
		const world = await makeWorld();
		const { call, read, owner } = world;
		expect((await remove(world)).status).toBeGreaterThanOrEqual(400);
		expect(await read(owner)).toBeDefined();
		const session = await call("/get-session", { cookie: owner.cookie });
		expect(session.body?.user.id).toBe(owner.id);
	});

	it("is tried at every endpoint of Better Auth that ends the sessions first", () => {
		const endsFirst = /deleteUserSessions\([\s\S]*deleteUser\(/;
		const found = endpointSources().filter(({ source }) => endsFirst.test(source));
		expect(found.length).toBeGreaterThan(1);
		for (const { path } of notEmpty(found)) {
			expect(DELETIONS).toHaveProperty([path]);
			expect(rulesOf(path).deletesUser).toBe(true);
		}
	});
});

describe("core's own endpoints", () => {
	it.each([{ tenantRole: "owner" }, { disabledAt: "2026-01-01" }])(
		"do not let a user write %j",
		async (field) => {
			const { call, read, member, tenantId } = await makePeople();
			const update = await call("/update-user", { body: field, cookie: member.cookie });
			expect(update.status).toBe(400);
			expect(await read(member)).toMatchObject({ tenantRole: "member", disabledAt: null });
			const person = { name: "New", email: "new@example.com", password: PASSWORD };
			const signUp = await call("/tenant/sign-up/email", {
				body: { tenantId, ...person, ...field },
			});
			expect(signUp.status).toBe(400);
		},
	);

	it("delete a user who is not an owner, and a user of the platform", async () => {
		const { call, read, member } = await makeWorld();
		const body = { password: PASSWORD };
		expect((await call("/delete-user", { body, cookie: member.cookie })).status).toBe(200);
		expect(await read(member)).toBeUndefined();
	});
});

describe("server code of the app", () => {
	it("cannot take the last owner either, also in a transaction of its own", async () => {
		const { auth, owner, read, tenantId } = await makePeople();
		const { internalAdapter, adapter } = await auth.$context;
		await expect(
			runInTenant(auth, tenantId, () => internalAdapter.deleteUser(owner.id)),
		).rejects.toMatchObject({ body: { code: "LAST_OWNER" } });
		const { runWithTransaction } = await import("@better-auth/core/context");
		await expect(
			runInTenant(auth, tenantId, () =>
				runWithTransaction(adapter, () => internalAdapter.deleteUser(owner.id)),
			),
		).rejects.toMatchObject({ body: { code: "LAST_OWNER" } });
		expect(await read(owner)).toBeDefined();
	});

	it("hooks of the app do not run for an owner who stays", async () => {
		const seen: string[] = [];
		const { manage, owner, tenantId } = await makePeople({
			databaseHooks: {
				user: {
					delete: { before: async () => void seen.push("user delete") },
					update: { before: async () => void seen.push("user update") },
				},
				session: { delete: { before: async () => void seen.push("session delete") } },
			},
		});
		const body = { tenantId, userId: owner.id };
		for (const path of ["delete", "disable"]) {
			expectRefusal(await manage(`/tenant/user/${path}`, { body }), 409, "LAST_OWNER");
		}
		const demotion = { body: { ...body, role: "member" } };
		expectRefusal(await manage("/tenant/user/update", demotion), 409, "LAST_OWNER");
		expect(seen).toEqual([]);
	});
});
