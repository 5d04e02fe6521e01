import { defineTenantPlugin, type LoggedRow } from "better-auth-tenant";
import { describe, expect, it, vi } from "vitest";
import { untilHang } from "../../../../testing/time-limits";
import { eachDatabase } from "../support/databases/each-database";
import { EMAIL, makeInstance } from "../support/worlds/instance";

const schema = {
	outbox: {
		fields: {
			source: { type: "string", required: true },
			rowId: { type: "string", required: true },
		},
	},
} as const;

/** Notes each row of the logs in its own table. */
function outbox() {
	const heard: LoggedRow[] = [];
	const state = { isBroken: false };
	const plugin = defineTenantPlugin({
		id: "outbox",
		schema,
		tenant: {
			tables: { outbox: "shared" },
			logged: async (adapter, row) => {
				heard.push(row);
				await adapter.create({ model: "outbox", data: { source: row.table, rowId: row.id } });
				if (state.isBroken) throw new Error("broken");
			},
		},
	});
	return { heard, state, plugin };
}

describe.each(eachDatabase)("a plugin that hears of the logs, on %s", (_, open) => {
	it("hears of each row of the audit log and of the sign-in log, with its id", async () => {
		const { db, type, close } = await open();
		try {
			const { heard, plugin } = outbox();
			const app = await makeInstance({ on: { db, type }, signInLog: true, plugins: [plugin] });
			const tenantId = await app.makeTenant();
			await app.signUp(tenantId, EMAIL);
			await vi.waitFor(() => expect(heard).toHaveLength(2), untilHang);
			const rows = async (table: "tenantAuditEvent" | "tenantSignIn") =>
				(await app.db.selectFrom(table).select("id").execute()).map(({ id }) => id);
			await vi.waitFor(async () => expect(await rows("tenantSignIn")).toHaveLength(1), untilHang);
			expect(heard).toEqual([
				{
					table: "tenantAuditEvent",
					id: (await rows("tenantAuditEvent"))[0],
					createdAt: expect.any(Date),
				},
				{ table: "tenantSignIn", id: (await rows("tenantSignIn"))[0], createdAt: expect.any(Date) },
			]);
		} finally {
			await close();
		}
	});

	it("writes in the transaction of the change: both or neither", async () => {
		const { db, type, close } = await open();
		try {
			const { state, plugin } = outbox();
			const app = await makeInstance({ on: { db, type }, signInLog: true, plugins: [plugin] });
			state.isBroken = true;
			const body = { name: "Lost", slug: "lost" };
			expect((await app.manage("/tenant/create", { body })).status).toBe(500);
			const count = async (table: "tenant" | "tenantAuditEvent" | "outbox") =>
				(
					await (app.db as unknown as import("kysely").Kysely<Record<string, { id: string }>>)
						.selectFrom(table)
						.select("id")
						.execute()
				).length;
			for (const table of ["tenant", "tenantAuditEvent", "outbox"] as const) {
				expect(await count(table), table).toBe(0);
			}
		} finally {
			await close();
		}
	});
});
