import { admin } from "better-auth/plugins";
import { beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { PASSWORD } from "../support/worlds/instance";
import { makeTwoUsers } from "../support/worlds/two-tenants";

type World = Awaited<ReturnType<typeof makeWorld>>;

/** A platform administrator beside two tenants with a user each. */
async function makeWorld() {
	const app = await makeTwoUsers({ tenants: { adminRoles: ["admin"] }, plugins: [admin()] });
	const credentials = { email: "operator@example.com", password: PASSWORD };
	const { body } = await app.call("/sign-up/email", { body: { name: "Operator", ...credentials } });
	const operatorId: string = body.user.id;
	await app.db.updateTable("user").set({ role: "admin" }).where("id", "=", operatorId).execute();
	const { cookie } = await app.call("/sign-in/email", { body: credentials });
	const userId: string = app.ada.body.user.id;
	const visit = (path: string, body?: object, tenant: string | undefined = app.a) =>
		app.call(`/admin${path}`, { cookie, tenant, ...(body ? { body } : {}) });
	const events = async (query: Record<string, string> = {}) =>
		(await app.manage("/tenant/audit/list", { query: { actorId: operatorId, ...query } })).body;
	return { ...app, operatorId, cookie, userId, visit, events };
}

describe("of a platform administrator who visits a tenant, the audit log", () => {
	let world: World;

	beforeAll(async () => {
		world = await makeWorld();
	});

	it("tells every change, whom it was made to and from where, and no secret", async () => {
		const { visit, events, userId, operatorId, a, signIn } = world;
		const newPassword = "a password that nobody reads";
		const session = await signIn(a);
		const changes: [string, object][] = [
			["/set-role", { userId, role: "user" }],
			["/update-user", { userId, data: { name: "Renamed" } }],
			["/set-user-password", { userId, newPassword }],
			["/ban-user", { userId, banReason: "a reason of theirs" }],
			["/unban-user", { userId }],
			["/impersonate-user", { userId }],
			["/revoke-user-session", { sessionToken: session.body.token }],
			["/revoke-user-sessions", { userId }],
			["/remove-user", { userId }],
		];
		for (const [path, body] of notEmpty(changes)) {
			expect([path, (await visit(path, body)).status]).toEqual([path, 200]);
		}
		const found: { action: string; targetId: string | null }[] = await events({ tenantId: a });
		const told = found.map(({ action, targetId }) => [action, targetId]);
		expect(told).toHaveLength(changes.length);
		expect(told).toEqual(
			expect.arrayContaining(
				changes.map(([path]) => [
					`admin:${path.slice(1)}`,
					path === "/revoke-user-session" ? null : userId,
				]),
			),
		);
		for (const event of notEmpty(found)) {
			expect(event).toMatchObject({
				tenantId: a,
				actor: { kind: "administrator", id: operatorId },
				detail: null,
			});
		}
		expect(JSON.stringify(found)).not.toContain(newPassword);
		expect(JSON.stringify(found)).not.toContain(session.body.token);
	});

	it("names the user who was made, and is filtered by the action", async () => {
		const { visit, events, b } = world;
		const body = { name: "New", email: "new@example.com", password: PASSWORD };
		const made = await visit("/create-user", body, b);
		expect(await events({ tenantId: b, action: "admin:create-user" })).toMatchObject([
			{ action: "admin:create-user", targetId: made.body.user.id },
		]);
	});

	it("has the end of an impersonation too", async () => {
		const { visit, call, events, bob, b } = world;
		const began = await visit("/impersonate-user", { userId: bob.body.user.id }, b);
		const ended = await call("/admin/stop-impersonating", { method: "POST", cookie: began.cookie });
		expect(ended.status).toBe(200);
		expect(await events({ tenantId: b, action: "admin:stop-impersonating" })).toHaveLength(1);
	});
});

describe("the audit log has nothing", () => {
	it("of what only reads", async () => {
		const { visit, events, userId } = await makeWorld();
		await visit("/list-users");
		await visit(`/get-user?id=${userId}`);
		await visit("/list-user-sessions", { userId });
		await visit("/has-permission", { permissions: { user: ["list"] } });
		expect(await events()).toEqual([]);
	});

	it("of what was refused", async () => {
		const { visit, events, bob } = await makeWorld();
		const userId = bob.body.user.id;
		expect((await visit("/ban-user", { userId })).status).toBe(404);
		expect(await events()).toEqual([]);
	});

	it("of what an administrator does on the platform, or a tenant's own in the tenant", async () => {
		const world = await makeWorld();
		const { call, cookie, db, signIn, userId, a, manage, signUp } = world;
		const other = await signUp(a, "other@example.com");
		await db.updateTable("user").set({ role: "admin" }).where("id", "=", userId).execute();
		const own = await signIn(a);
		const banned = { userId: other.body.user.id };
		const ban = await call("/admin/ban-user", { cookie: own.cookie, body: banned });
		expect(ban.status).toBe(200);
		const person = { name: "New", email: "new@example.com", password: PASSWORD };
		expect((await call("/admin/create-user", { cookie, body: person })).status).toBe(200);
		const { body } = await manage("/tenant/audit/list");
		const actions = body.map(({ action }: { action: string }) => action);
		expect(actions).toEqual(["tenant:create", "tenant:create"]);
	});
});
