import { beforeAll, describe, expect, it } from "vitest";
import { type Instance, makeInstance } from "../support/worlds/instance";
import { addUsers } from "../support/worlds/many-users";

describe("suspending and resuming", () => {
	let instance: Instance;

	beforeAll(async () => {
		instance = await makeInstance();
	});

	/** The statements of a call, without those around a transaction. */
	async function statementsOf(call: "suspend" | "resume", tenantId: string): Promise<string[]> {
		const before = instance.statements.length;
		const { status } = await instance.manage(`/tenant/${call}`, { body: { tenantId } });
		expect(status).toBe(200);
		return instance.statements
			.slice(before)
			.filter((sql) => !/^(begin|commit|rollback)/.test(sql))
			.map((sql) => sql.replace(/ (set|where|\(|values) .*/, ""));
	}

	const tablesIn = (statements: string[]) =>
		statements
			.filter((sql) => !sql.startsWith("select"))
			.map((sql) => /^(?:update|insert into|delete from) "(\w+)"/.exec(sql)?.[1]);

	it("writes the tenant's row and an audit event, whatever the number of users", async () => {
		const empty = await instance.makeTenant();
		const full = await instance.makeTenant();
		await addUsers(instance.db, full, 500);
		for (const call of ["suspend", "resume"] as const) {
			const statements = await statementsOf(call, full);
			expect(tablesIn(statements)).toEqual(["tenant", "tenantAuditEvent"]);
			expect(statements.length).toBeLessThanOrEqual(5);
			expect(await statementsOf(call, empty)).toEqual(statements);
		}
	});

	it("names the tenant by its id in the one update", async () => {
		const tenantId = await instance.makeTenant();
		const before = instance.statements.length;
		await instance.manage("/tenant/suspend", { body: { tenantId } });
		const updates = instance.statements.slice(before).filter((sql) => sql.startsWith("update"));
		expect(updates).toHaveLength(1);
		expect(updates[0]).toMatch(/^update "tenant" set "suspendedAt" = \? where .*"id" = \?/);
	});
});
