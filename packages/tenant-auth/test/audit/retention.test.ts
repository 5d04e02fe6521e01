import { pruneAuditEvents, tenantAuth } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { type InstanceOptions, makeInstance } from "../support/worlds/instance";

const DAY_MS = 24 * 60 * 60 * 1000;

async function makeApp(options: InstanceOptions = {}) {
	const instance = await makeInstance(options);
	const list = async (query: Record<string, string> = {}) =>
		(await instance.manage("/tenant/audit/list", { query })).body as Record<string, unknown>[];
	const actions = async (query?: Record<string, string>) =>
		(await list(query)).map(({ action }) => action);
	/** Makes all events so many days older. */
	const age = async (days: number) => {
		const rows = await instance.db.selectFrom("tenantAuditEvent").selectAll().execute();
		for (const { id, createdAt } of rows) {
			const aged = new Date(new Date(String(createdAt)).getTime() - days * DAY_MS).toISOString();
			await instance.db
				.updateTable("tenantAuditEvent")
				.set({ createdAt: aged })
				.where("id", "=", id)
				.execute();
		}
	};
	const rename = (tenantId: string, name = "Renamed") =>
		instance.manage("/tenant/update", { body: { tenantId, name } });
	return { ...instance, list, actions, age, rename };
}

describe("the retention of audit events", () => {
	const tenants = { audit: { retentionDays: 30 } };

	it("deletes older events when a new one is written, and keeps the others", async () => {
		const before = await makeApp();
		const tenantId = await before.makeTenant();
		await before.age(20);
		await before.rename(tenantId);
		await before.age(20);
		const { db } = before;
		const { rename, actions } = await makeApp({ on: { db, type: "sqlite" }, tenants });
		await rename(tenantId);
		expect(await actions()).toEqual(["tenant:update", "tenant:update"]);
	});

	it("deletes all older events with pruneAuditEvents, and no others", async () => {
		const { auth, makeTenant, actions, age, rename } = await makeApp({ tenants });
		const tenantId = await makeTenant();
		for (let count = 0; count < 120; count += 1) await rename(tenantId, `Name ${count}`);
		await age(31);
		await makeTenant();
		expect(await pruneAuditEvents(auth)).toBe(121);
		expect(await actions()).toEqual(["tenant:create"]);
		expect(await pruneAuditEvents(auth)).toBe(0);
	});

	it("keeps everything without the option, and then there is nothing to prune", async () => {
		const { auth, makeTenant, actions, age, rename } = await makeApp();
		const tenantId = await makeTenant();
		await age(4000);
		await rename(tenantId);
		expect(await actions()).toEqual(["tenant:update", "tenant:create"]);
		await expect(pruneAuditEvents(auth)).rejects.toThrow("audit.retentionDays is not set");
	});

	it.each([0, -1, 1.5, Number.NaN])("cannot be %s days", (retentionDays) => {
		expect(() => tenantAuth({ audit: { retentionDays } })).toThrow("positive integer");
	});
});

describe("the audit events of a deleted tenant", () => {
	it("can be erased, which leaves an event without personal data", async () => {
		const app = await makeApp();
		const [gone, other] = [await app.makeTenant(), await app.makeTenant()];
		await app.manage("/tenant/delete", { body: { tenantId: gone } });
		const erase = () =>
			app.manage("/tenant/audit/erase", {
				body: { tenantId: gone },
				headers: { "user-agent": "a browser", "x-forwarded-for": "203.0.113.7" },
			});

		expect((await erase()).body).toEqual({ erased: 2 });

		expect(await app.list({ tenantId: gone })).toMatchObject([
			{
				action: "audit:erase",
				actor: { kind: "key" },
				ipAddress: null,
				userAgent: null,
				detail: { events: 2 },
			},
		]);
		expect(await app.actions({ tenantId: other })).toEqual(["tenant:create"]);
		const again = await erase();
		expect([again.status, again.body.code]).toEqual([404, "TENANT_NOT_FOUND"]);
	});

	it("stay while the tenant exists, also while it is suspended", async () => {
		const { makeTenant, manage, actions } = await makeApp();
		const tenantId = await makeTenant();
		await manage("/tenant/suspend", { body: { tenantId } });
		const { status, body } = await manage("/tenant/audit/erase", { body: { tenantId } });
		expect([status, body.code]).toEqual([409, "TENANT_NOT_DELETED"]);
		expect(await actions({ tenantId })).toHaveLength(2);
	});

	it("do not name the administrator who erased them", async () => {
		const app = await makeApp({ tenants: { canManageTenants: () => true } });
		const tenantId = await app.makeTenant();
		await app.manage("/tenant/delete", { body: { tenantId } });
		const user = { name: "Root", email: "root@example.com", password: "correct horse battery" };
		const { cookie } = await app.call("/sign-up/email", { body: user });
		await app.call("/tenant/audit/erase", { body: { tenantId }, cookie });
		expect(await app.list({ tenantId })).toMatchObject([{ actor: { kind: "host", id: null } }]);
	});

	it("do not let SQLite give the tenant's serial id to another one", async () => {
		const app = await makeApp({
			advanced: { database: { generateId: "serial" } },
			tenants: { audit: { retentionDays: 30 } },
		});
		await app.makeTenant();
		const gone = await app.makeTenant();
		await app.manage("/tenant/delete", { body: { tenantId: gone } });
		await app.manage("/tenant/audit/erase", { body: { tenantId: gone } });
		expect(await app.list({ tenantId: gone, action: "tenant:create" })).toMatchObject([
			{ actor: { id: null }, ipAddress: null, userAgent: null, detail: null },
		]);
		await app.age(31);
		await pruneAuditEvents(app.auth);
		expect(Number(await app.makeTenant())).toBeGreaterThan(Number(gone));
	});
});
