import { admin, bearer, twoFactor } from "better-auth/plugins";
import { tenantAccess } from "better-auth-tenant";
import { afterEach, describe, expect, it, vi } from "vitest";
import { expectRefusal } from "../support/http/refusal";
import type { InstanceOptions } from "../support/worlds/instance";
import { makePeople } from "../support/worlds/people";
import { sessionStores } from "../support/worlds/session-stores";

const roles = { agent: tenantAccess.newRole({ user: ["impersonate"] }) };
const HOUR_MS = 60 * 60 * 1000;

async function makeWorld(options: InstanceOptions = {}) {
	const app = await makePeople({
		...options,
		plugins: [bearer(), ...(options.plugins ?? [])],
		tenants: { roles },
	});
	const agent = await app.add("agent");
	const impersonate = (cookie: string, userId: string, more: object = {}) =>
		app.call("/tenant/user/impersonate", {
			body: { userId, reason: "An invoice", ...more },
			cookie,
		});
	return { ...app, agent, impersonate };
}

afterEach(() => {
	vi.useRealTimers();
});

describe.each(sessionStores)("an impersonation, with sessions %s", (_, store) => {
	it("ends after an hour, although core extends the sessions that it reads", async () => {
		const { call, impersonate, agent, member } = await makeWorld(store());
		vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
		const { body } = await impersonate(agent.cookie, member.id);
		expect(body.user.id).toBe(member.id);
		const read = () => call("/get-session", { headers: { authorization: `Bearer ${body.token}` } });
		for (const minutes of [0, 20, 59]) {
			vi.setSystemTime(new Date(body.session.createdAt).getTime() + minutes * 60_000);
			const { session } = (await read()).body;
			expect(session.tenantImpersonator).toBe(`member:${agent.id}`);
			const end = new Date(body.session.createdAt).getTime() + HOUR_MS;
			expect(new Date(session.expiresAt).getTime()).toBeLessThanOrEqual(end + 1000);
		}
		vi.setSystemTime(new Date(body.session.createdAt).getTime() + HOUR_MS + 2000);
		expect((await read()).body).toBeNull();
	});

	it("does not touch the session of the caller, unless it asks for the cookie", async () => {
		const { call, impersonate, agent, member } = await makeWorld(store());
		const quiet = await impersonate(agent.cookie, member.id);
		expect(quiet.cookie).not.toContain("session_token");
		const own = await call("/get-session", { cookie: agent.cookie });
		expect(own.body.user.id).toBe(agent.id);
		const { cookie } = await impersonate(agent.cookie, member.id, { setCookie: true });
		expect((await call("/get-session", { cookie })).body.user.id).toBe(member.id);
	});

	it("cannot manage, whatever role the user has", async () => {
		const { call, manage, owner, tenantId } = await makeWorld(store());
		const body = { tenantId, userId: owner.id, reason: "An invoice", setCookie: true };
		const { cookie } = await manage("/tenant/user/impersonate", { body });
		expect((await call("/get-session", { cookie })).body.user.id).toBe(owner.id);
		const answer = await call("/tenant/user/list", { cookie });
		expectRefusal(answer, 403, "TENANT_MANAGEMENT_NOT_ALLOWED");
	});

	it("is a session of the user, which can be revoked", async () => {
		const { call, manage, impersonate, agent, member, tenantId } = await makeWorld(store());
		const { body } = await impersonate(agent.cookie, member.id);
		const revoke = { tenantId, userId: member.id, sessionId: body.session.id };
		expect((await manage("/tenant/session/revoke", { body: revoke })).status).toBe(200);
		const headers = { authorization: `Bearer ${body.token}` };
		expect((await call("/get-session", { headers })).body).toBeNull();
	});
});

describe("an impersonation", () => {
	it.each([undefined, "", "   ", "x".repeat(501), "a\u0000b", 5, null])(
		"needs a reason of 1 to 500 characters, not %j",
		async (reason) => {
			const { impersonate, db, agent, member } = await makeWorld();
			const before = await db.selectFrom("session").selectAll().execute();
			const answer = await impersonate(agent.cookie, member.id, { reason });
			expectRefusal(answer, 400, "VALIDATION_ERROR");
			expect(await db.selectFrom("session").selectAll().execute()).toEqual(before);
		},
	);

	it("by the app tells the tenant nothing about who did it", async () => {
		const { call, manage, member, admin, tenantId } = await makeWorld();
		const body = { tenantId, userId: member.id, reason: "An invoice" };
		const headers = { "user-agent": "Staff", "x-forwarded-for": "192.0.2.7" };
		const { session } = (await manage("/tenant/user/impersonate", { body, headers })).body;
		const own = (await call("/list-sessions", { cookie: member.cookie })).body;
		const managed = (await call("/tenant/session/list", { cookie: admin.cookie })).body;
		for (const list of [own, managed]) {
			const [found] = list.filter(({ id }: { id: string }) => id === session.id);
			expect([found.ipAddress || null, found.userAgent || null]).toEqual([null, null]);
		}
	});

	it("is recorded with its reason, and who did it", async () => {
		const { manage, impersonate, agent, member, tenantId } = await makeWorld();
		const { body } = await impersonate(agent.cookie, member.id);
		const query = { tenantId, action: "user:impersonate" };
		const events = await manage("/tenant/audit/list", { query });
		expect(events.body).toMatchObject([
			{
				actor: { kind: "member", id: agent.id },
				targetId: member.id,
				detail: { reason: "An invoice", sessionId: body.session.id },
			},
		]);
		expect(JSON.stringify(events.body)).not.toContain(body.token);
	});

	it("is refused for a user with a higher role, a disabled user, and one of another tenant", async () => {
		const { impersonate, manage, agent, owner, admin, member, stranger, tenantId } =
			await makeWorld();
		for (const { id } of [owner, admin]) {
			expectRefusal(await impersonate(agent.cookie, id), 403, "ROLE_NOT_ALLOWED");
		}
		expectRefusal(await impersonate(agent.cookie, stranger.id), 404, "USER_NOT_FOUND");
		await manage("/tenant/user/disable", { body: { tenantId, userId: member.id } });
		expectRefusal(await impersonate(agent.cookie, member.id), 403, "USER_DISABLED");
	});

	it("is refused in a suspended tenant, also for the app", async () => {
		const { manage, member, tenantId } = await makeWorld();
		await manage("/tenant/suspend", { body: { tenantId } });
		const body = { tenantId, userId: member.id, reason: "An invoice" };
		expectRefusal(await manage("/tenant/user/impersonate", { body }), 403, "TENANT_SUSPENDED");
	});

	it("is refused for an admin, unless the app gives admins the right", async () => {
		const { impersonate, admin, owner, member } = await makeWorld();
		const refusal = "TENANT_MANAGEMENT_NOT_ALLOWED";
		expectRefusal(await impersonate(admin.cookie, member.id), 403, refusal);
		expect((await impersonate(owner.cookie, member.id)).status).toBe(200);
	});

	it("is not one of the admin plugin, which cannot end it", async () => {
		const { call, impersonate, agent, member } = await makeWorld({ plugins: [admin()] });
		const { cookie } = await impersonate(agent.cookie, member.id, { setCookie: true });
		const { body } = await call("/get-session", { cookie });
		expect(body.session).toMatchObject({
			impersonatedBy: null,
			tenantImpersonator: `member:${agent.id}`,
		});
		const stop = await call("/admin/stop-impersonating", { body: {}, cookie });
		expect(stop.status).toBe(401);
		expect((await call("/sign-out", { body: {}, cookie })).status).toBe(200);
		expect((await call("/get-session", { cookie })).body).toBeNull();
	});
});

it("a user without the second factor that the tenant requires is not impersonated", async () => {
	const { impersonate, manage, agent, member, tenantId, db } = await makeWorld({
		plugins: [twoFactor()],
	});
	// The agent has one.
	const enabled = { twoFactorEnabled: 1 };
	await db.updateTable("user").set(enabled).where("id", "=", agent.id).execute();
	const body = { tenantId, secondFactor: { required: true } };
	await manage("/tenant/policy/update", { body });
	const refused = await impersonate(agent.cookie, member.id);
	expectRefusal(refused, 409, "SECOND_FACTOR_MISSING");
	await db.updateTable("user").set(enabled).where("id", "=", member.id).execute();
	expect((await impersonate(agent.cookie, member.id)).status).toBe(200);
});
