import { getSessionFromCtx } from "better-auth/api";
import { admin } from "better-auth/plugins";
import { beforeAll, describe, expect, it } from "vitest";
import { recordAppEvent } from "../../src";
import { type Instance, MANAGEMENT_KEY, makeInstance } from "../support/worlds/instance";

describe("the audit log", () => {
	let host: Instance;
	let tenantId: string;

	beforeAll(async () => {
		host = await makeInstance();
		tenantId = await host.makeTenant("audited");
	});

	const read = async (query: Record<string, string> = { tenantId }) =>
		(await host.manage("/tenant/audit/list", { query })).body;

	it("tells who did what to which tenant, when and from where, newest first", async () => {
		await host.manage("/tenant/update", {
			body: { tenantId, name: "Other" },
			headers: { "user-agent": "curl", "x-forwarded-for": "203.0.113.7" },
		});
		expect(await read()).toEqual([
			{
				id: expect.any(String),
				createdAt: expect.any(String),
				action: "tenant:update",
				tenantId,
				actor: { kind: "key", id: expect.stringMatching(/^[\da-f]{12}$/) },
				targetId: null,
				ipAddress: "203.0.113.7",
				userAgent: "curl",
				detail: { name: "Other" },
			},
			expect.objectContaining({
				action: "tenant:create",
				detail: { name: "audited", slug: "audited" },
			}),
		]);
	});

	it("has every change of a tenant, its configs and its users", async () => {
		const of = await host.makeTenant();
		const { body } = await host.signUp(of, "ada@example.com");
		const userId = body.user.id;
		const config = { tenantId: of, providerId: "google" };
		const secrets = { clientId: "client-id-of-tests", clientSecret: "secret-of-tests" };
		await host.manage("/tenant/oauth-config/register", { body: { ...config, ...secrets } });
		await host.manage("/tenant/oauth-config/update", { body: { ...config, enabled: false } });
		await host.manage("/tenant/oauth-config/delete", { body: config });
		await host.manage("/tenant/suspend", { body: { tenantId: of } });
		await host.manage("/tenant/resume", { body: { tenantId: of } });
		await host.manage("/tenant/user/revoke-sessions", { body: { tenantId: of, userId } });
		await host.manage("/tenant/user/delete", { body: { tenantId: of, userId } });
		await host.manage("/tenant/delete", { body: { tenantId: of } });
		const events = await read({ tenantId: of });
		expect(events.map((event: { action: string }) => event.action).reverse()).toEqual([
			"tenant:create",
			"oauth-config:register",
			"oauth-config:update",
			"oauth-config:delete",
			"tenant:suspend",
			"tenant:resume",
			"user:revoke-sessions",
			"user:delete",
			"tenant:delete",
		]);
		expect(JSON.stringify(events)).not.toMatch(/secret-of-tests|client-id-of-tests/);
		expect(JSON.stringify(events)).not.toContain(MANAGEMENT_KEY);
	});

	it("is filtered and paged", async () => {
		expect(await read({ tenantId, action: "tenant:create" })).toHaveLength(1);
		expect(await read({ tenantId, until: "2020-01-01T00:00:00Z" })).toEqual([]);
		const page = await host.manage("/tenant/audit/list", { query: { tenantId, limit: "1" } });
		expect([page.body.length, page.headers.get("x-total-count")]).toEqual([1, "2"]);
	});

	it("is written with the change or not at all", async () => {
		const broken = await makeInstance();
		const of = await broken.makeTenant();
		await broken.db.schema.dropTable("tenantAuditEvent").execute();
		const answer = await broken.manage("/tenant/update", { body: { tenantId: of, name: "Lost" } });
		expect(answer.status).toBe(500);
		const { body } = await broken.manage("/tenant/get", { query: { id: of } });
		expect(body.name).not.toBe("Lost");
	});

	it("names the administrator, and the user whom the host lets manage, by id", async () => {
		const host = await makeInstance({
			tenants: {
				adminRoles: ["admin"],
				canManageTenants: async (ctx, { action, tenantId }) => {
					const session = await getSessionFromCtx<{ tenantId: string | null }>(ctx);
					return action === "tenant:update" && session?.user.tenantId === tenantId;
				},
			},
			plugins: [admin()],
		});
		const of = await host.makeTenant();
		const owner = await host.signUp(of, "owner@example.com");
		const body = {
			name: "Operator",
			email: "operator@example.com",
			password: "correct horse battery",
		};
		const operator = await host.call("/sign-up/email", { body });
		const operatorId = operator.body.user.id;
		await host.db.updateTable("user").set({ role: "admin" }).where("id", "=", operatorId).execute();
		const update = (cookie: string, name: string) =>
			host.call("/tenant/update", { cookie, body: { tenantId: of, name } });
		expect((await update(owner.cookie, "By the owner")).status).toBe(200);
		expect((await update(operator.cookie, "By the operator")).status).toBe(200);
		await host.auth.api.updateTenant({ body: { tenantId: of, name: "By the server" } });
		const events = await host.manage("/tenant/audit/list", {
			query: { tenantId: of, action: "tenant:update" },
		});
		const told = events.body.map(({ actor, detail }: { actor: object; detail: object }) => [
			actor,
			detail,
		]);
		expect(told).toHaveLength(3);
		expect(told).toEqual(
			expect.arrayContaining([
				[{ kind: "host", id: owner.body.user.id }, { name: "By the owner" }],
				[{ kind: "administrator", id: operatorId }, { name: "By the operator" }],
				[{ kind: "server", id: null }, { name: "By the server" }],
			]),
		);
		const byOperator = await host.manage("/tenant/audit/list", { query: { actorId: operatorId } });
		expect(byOperator.body).toHaveLength(1);
	});

	it("names the user also where the host's rule reads the session by itself", async () => {
		const host: Instance = await makeInstance({
			tenants: {
				canManageTenants: async ({ headers }) =>
					(await host.auth.api.getSession({ headers: headers as Headers })) !== null,
			},
		});
		const of = await host.makeTenant();
		const { cookie, body } = await host.signUp(of, "owner@example.com");
		await host.call("/tenant/update", { cookie, body: { tenantId: of, name: "New" } });
		const { body: events } = await host.call("/tenant/audit/list", {
			cookie,
			query: { action: "tenant:update" },
		});
		expect(events).toMatchObject([{ actor: { kind: "host", id: body.user.id } }]);
	});

	it("has events of the app, which concern a tenant or none, and names who did them", async () => {
		const host = await makeInstance();
		const of = await host.makeTenant();
		const context = await host.auth.$context;
		const actor = { kind: "administrator", id: "id-of-grace", name: "Grace" } as const;
		await recordAppEvent({ context }, { action: "app:create-key", actor, targetId: "key" });
		await recordAppEvent(
			{ context },
			{ action: "app:bill", actor, tenantId: of, detail: { plan: 1 } },
		);
		const { body: all } = await host.manage("/tenant/audit/list", { query: { actorId: actor.id } });
		// They may have the same time.
		const byAction = (a: { action: string }, b: { action: string }) =>
			a.action.localeCompare(b.action);
		expect(all.sort(byAction)).toMatchObject([
			{ action: "app:bill", actor, tenantId: of, targetId: null, detail: { plan: 1 } },
			{ action: "app:create-key", actor, tenantId: null, targetId: "key", detail: null },
		]);
		const ofTenant = await host.manage("/tenant/audit/list", { query: { tenantId: of } });
		expect(ofTenant.body.sort(byAction)).toMatchObject([
			{ action: "app:bill" },
			{ action: "tenant:create" },
		]);
		const forged = { action: "tenant:delete" as "app:x", actor, tenantId: of };
		await expect(recordAppEvent({ context }, forged)).rejects.toThrow("does not start with app:");
	});

	it("does not tell a tenant's users who works for the app", async () => {
		const host = await makeInstance({
			tenants: {
				canManageTenants: (ctx) =>
					ctx.headers?.get("x-staff") === "yes" && {
						actor: { kind: "administrator", id: "id-of-grace", name: "Grace" },
					},
			},
		});
		const of = await host.makeTenant();
		const owner = await host.signUp(of, "owner@example.com");
		const where = host.db.updateTable("user").set({ tenantRole: "owner" });
		await where.where("id", "=", owner.body.user.id).execute();
		const body = { tenantId: of, name: "By Grace" };
		await host.call("/tenant/update", { body, headers: { "x-staff": "yes" } });
		const { body: events } = await host.call("/tenant/audit/list", {
			cookie: owner.cookie,
			query: { tenantId: of, action: "tenant:update" },
		});
		expect(events).toMatchObject([{ actor: { kind: "administrator", id: null } }]);
		expect(JSON.stringify(events)).not.toMatch(/grace"|"Grace"/);
	});

	it("is nobody's to read but those who manage", async () => {
		expect((await host.call("/tenant/audit/list")).status).toBe(401);
	});
});
