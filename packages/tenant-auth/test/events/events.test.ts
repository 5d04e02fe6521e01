import { runInTenant, type TenantEvent } from "better-auth-tenant";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EVENT_OF_ACTION } from "../../src/management/audit/audited-events";
import { ROUTES } from "../../src/routes";
import type { OpenDatabase } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { keepLog } from "../support/processes/kept-log";
import { EMAIL, type Instance, makeInstance, PASSWORD } from "../support/worlds/instance";

/** What the app hears of changes, on a real database. */
describe.each(eachDatabase)("events on %s", (_, open) => {
	const events: TenantEvent[] = [];
	let on: OpenDatabase;
	let app: Instance;
	let tenantId: string;
	let userId: string;
	let cookie: string;

	const typesOf = (list: TenantEvent[]) => list.map(({ type }) => type);

	beforeAll(async () => {
		on = await open();
		const { db, type } = on;
		app = await makeInstance({
			on: { db, type },
			tenants: { onEvent: (event) => void events.push(event) },
			user: { deleteUser: { enabled: true } },
		});
	});

	afterAll(() => on.close());

	beforeEach(async () => {
		tenantId = await app.makeTenant();
		const signedUp = await app.signUp(tenantId);
		userId = signedUp.body.user.id;
		cookie = signedUp.cookie;
		events.length = 0;
	});

	it("hears of a new user with account and session, and that they signed in", async () => {
		await app.signUp(tenantId, "grace@example.com");
		expect(typesOf(events)).toEqual([
			"user.created",
			"account.linked",
			"session.created",
			"sign-in.succeeded",
		]);
		expect(events[0]).toEqual({
			id: expect.stringMatching(/^evt_\w{24}$/),
			type: "user.created",
			tenantId,
			createdAt: expect.any(Date),
			data: {
				userId: expect.any(String),
				email: "grace@example.com",
				name: "User",
				emailVerified: false,
			},
		});
		expect(new Set(events.map(({ id }) => id)).size).toBe(4);
	});

	it("hears of the changes of a user, with the names of the fields and no values", async () => {
		await app.call("/update-user", { body: { name: "Ada L." }, cookie });
		const newPassword = "another horse battery";
		const body = { newPassword, currentPassword: PASSWORD, revokeOtherSessions: true };
		const changed = await app.call("/change-password", { body, cookie });
		expect(changed.status).toBe(200);
		expect(events[0]).toMatchObject({ type: "user.updated", data: { userId, fields: ["name"] } });
		expect(typesOf(events).slice(1).sort()).toEqual([
			"session.created",
			"session.revoked",
			"user.password-changed",
		]);
		expect(JSON.stringify(events)).not.toMatch(/Ada L\.|horse/);
	});

	it("hears of a user who deletes themselves", async () => {
		const { status } = await app.call("/delete-user", { body: { password: PASSWORD }, cookie });
		expect(status).toBe(200);
		expect(typesOf(events)).toEqual(["session.revoked", "account.unlinked", "user.deleted"]);
		expect(events.at(-1)).toMatchObject({ tenantId, data: { userId } });
	});

	it("hears of what management changes, once", async () => {
		await app.manage("/tenant/update", { body: { tenantId, name: "Acme", metadata: { a: 1 } } });
		await app.manage("/tenant/suspend", { body: { tenantId } });
		await app.manage("/tenant/resume", { body: { tenantId } });
		await app.manage("/tenant/oauth-config/register", {
			body: { tenantId, providerId: "github", clientId: "id", clientSecret: "the secret" },
		});
		await app.manage("/tenant/user/revoke-sessions", { body: { tenantId, userId } });
		await app.manage("/tenant/user/delete", { body: { tenantId, userId } });
		await app.manage("/tenant/delete", { body: { tenantId } });
		expect(typesOf(events)).toEqual([
			"tenant.updated",
			"tenant.suspended",
			"tenant.resumed",
			"oauth-config.registered",
			"session.revoked",
			"account.unlinked",
			"user.deleted",
			"tenant.deleted",
		]);
		expect(events[0]?.data).toEqual({ fields: ["metadata", "name"] });
		expect(JSON.stringify(events)).not.toContain("the secret");
	});

	it("hears of users who move in, and of an import", async () => {
		const email = `${tenantId}@example.com`;
		const body = { name: "Lin", email, password: PASSWORD };
		const { body: onPlatform } = await app.call("/sign-up/email", { body });
		const userIds = [onPlatform.user.id];
		await app.manage("/tenant/user/move", { body: { tenantId, userIds } });
		const users = [{ externalId: "1", email: "imported@example.com" }];
		await app.manage("/tenant/user/import", { body: { tenantId, users } });
		expect(events.map(({ type, data }) => [type, data])).toEqual([
			["user.moved", { userId: onPlatform.user.id }],
			["user.imported", { created: 1, updated: 0 }],
		]);
	});

	it("hears of an accepted invitation after the user exists", async () => {
		const email = "guest@example.com";
		const invitation = await app.manage("/tenant/invitation/create", {
			body: { tenantId, email, role: "admin" },
		});
		const { token, id } = invitation.body;
		events.length = 0;
		const accepted = await app.call("/tenant/invitation/accept", { body: { tenantId, token } });
		const signedUp = await app.call("/tenant/sign-up/email", {
			body: { tenantId, name: "Guest", email, password: PASSWORD },
			cookie: accepted.cookie,
		});
		expect(signedUp.status).toBe(200);
		const found = events.find(({ type }) => String(type) === "invitation.accepted");
		expect(found?.data).toEqual({ invitationId: id, userId: signedUp.body.user.id });
		expect(typesOf(events)).toContain("user.created");
	});

	it("hears nothing of the users of a tenant that is deleted, and nothing of the platform", async () => {
		await app.manage("/tenant/delete", { body: { tenantId } });
		const email = `${tenantId}@example.com`;
		await app.call("/sign-up/email", { body: { name: "Ada", email, password: PASSWORD } });
		expect(typesOf(events)).toEqual(["tenant.deleted"]);
	});

	it("hears nothing of a change that is rolled back", async () => {
		const { adapter } = await app.auth.$context;
		const work = runInTenant(app.auth, tenantId, () =>
			adapter.transaction(async (trx) => {
				const where = [{ field: "id", value: userId }];
				await trx.update({ model: "user", where, update: { name: "Changed" } });
				throw new Error("rolled back");
			}),
		);
		await expect(work).rejects.toThrow("rolled back");
		expect(events).toEqual([]);
	});

	it("hears of a change in a transaction of the app when it is committed", async () => {
		const { adapter } = await app.auth.$context;
		await runInTenant(app.auth, tenantId, () =>
			adapter.transaction(async (trx) => {
				const where = [{ field: "id", value: userId }];
				await trx.update({ model: "user", where, update: { name: "Changed" } });
				expect(events).toEqual([]);
			}),
		);
		expect(typesOf(events)).toEqual(["user.updated"]);
	});

	it("hears nothing of a sign-up that fails", async () => {
		expect((await app.signUp(tenantId, EMAIL)).status).toBe(422);
		expect(events).toEqual([
			expect.objectContaining({
				type: "sign-in.failed",
				data: expect.objectContaining({ reason: "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL" }),
			}),
		]);
	});
});

describe("onEvent", () => {
	it("fails no request, and its error is logged", async () => {
		const { lines, logger } = keepLog();
		const onEvent = async () => {
			throw new Error("the app failed");
		};
		const app = await makeInstance({ tenants: { onEvent }, logger });
		const tenantId = await app.makeTenant();
		expect((await app.signUp(tenantId)).status).toBe(200);
		expect(lines.join()).toMatch(/onEvent failed for user\.created evt_\w+/);
	});

	it("delays no answer if the app has a handler for background tasks", async () => {
		const tasks: Promise<unknown>[] = [];
		let finish = () => {};
		const held = new Promise<void>((resolve) => {
			finish = resolve;
		});
		const app = await makeInstance({
			tenants: { onEvent: () => held },
			advanced: { backgroundTasks: { handler: (task) => void tasks.push(task) } },
		});
		const tenantId = await app.makeTenant();
		expect((await app.signUp(tenantId)).status).toBe(200);
		expect(tasks.length).toBeGreaterThan(3);
		finish();
		await Promise.all(tasks);
	});

	it("hears of sessions that only a secondary storage has", async () => {
		const events: TenantEvent[] = [];
		const app = await makeInstance({
			tenants: { onEvent: (event) => void events.push(event) },
			secondaryStorage: makeMemoryStorage(),
		});
		const tenantId = await app.makeTenant();
		const { cookie, body } = await app.signUp(tenantId);
		await app.call("/sign-out", { body: {}, cookie });
		const sessions = events.filter(({ type }) => type.startsWith("session."));
		expect(sessions.map(({ type, data }) => [type, data])).toEqual([
			["session.created", expect.objectContaining({ userId: body.user.id })],
			["session.revoked", expect.objectContaining({ userId: body.user.id })],
		]);
		expect(JSON.stringify(events)).not.toContain(body.token);
	});
});

describe("the events of audited actions", () => {
	const routes = Object.values(ROUTES);
	const changes = routes.flatMap((it) => ("action" in it && it.method === "POST" ? it.action : []));

	it.each(changes)("say whether %s has one", (action) => {
		expect(EVENT_OF_ACTION).toHaveProperty([action]);
	});
});
