import type { Kysely } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { eachDatabase } from "../../../packages/tenant-auth/test/support/databases/each-database";
import { notEmpty } from "../../../testing/not-empty";
import { stopClock } from "../../../testing/stopped-clock";
import { lastDays } from "../src/database/daily-counts";
import type { AuthDatabase } from "../src/database/open-database";
import { createTenantDays, type TenantDays, tenantDaysTable } from "../src/database/tenant-days";
import { createLog } from "../src/monitoring/log";

const log = createLog({ level: "silent", secrets: [] });
const today = () => lastDays(1)[0] ?? "";

type Tables = {
	tenant: { id: string };
	service_tenant_day: { day: string; tenant: string } & Record<string, unknown>;
};

describe.each(eachDatabase)("on %s", (_, open) => {
	async function newDatabase(tenants: string[]) {
		// The figures of a test are of one day, also at midnight.
		stopClock();
		const opened = await open();
		const { type } = opened;
		const db = opened.db as Kysely<unknown> as Kysely<Tables>;
		await db.schema
			.createTable("tenant")
			.addColumn("id", type === "postgres" ? "text" : "varchar(36)", (column) =>
				column.primaryKey(),
			)
			.execute();
		await tenantDaysTable(opened.db as Kysely<unknown>).execute();
		await db
			.insertInto("tenant")
			.values(tenants.map((id) => ({ id })))
			.execute();
		const database = { db, type, transaction: true } as unknown as AuthDatabase;
		const servers: TenantDays[] = [];
		onTestFinished(async () => {
			for (const server of servers) await server.close();
			await opened.close();
		});
		return {
			db,
			newServer: () => {
				const server = createTenantDays(database, log);
				servers.push(server);
				return server;
			},
		};
	}

	const failed = { signIn: "failed", status: 401 } as const;

	test("several servers add to the same figures, and write those that matter", async () => {
		const ids = Array.from({ length: 60 }, (_unused, index) => `tenant-${index}`);
		const { newServer } = await newDatabase(ids);
		const [first, second] = [newServer(), newServer()];
		for (const server of notEmpty([first, second])) {
			for (const [index, tenantId] of notEmpty([...ids.entries()])) {
				for (let count = 0; count <= index; count += 1) {
					server.record({ ...failed, tenantId, milliseconds: index });
				}
			}
			// A tenant that was deleted meanwhile.
			server.record({ ...failed, tenantId: "gone", milliseconds: 1 });
		}
		await Promise.all([first, second].map((one) => one.list("failing", today(), today(), 100)));
		const failing = await second.list("failing", today(), today(), 100);
		// Each has written the 50 that fail most.
		expect(failing).toHaveLength(50);
		expect(failing[0]).toEqual({
			tenantId: "tenant-59",
			...{ signIns: 0, failures: 120, errors: 0, requests: 120, milliseconds: 120 * 59 },
		});
		// What is written is not written again.
		expect(await second.list("failing", today(), today(), 100)).toEqual(failing);
		first.record({ ...failed, tenantId: "tenant-59", status: 503, milliseconds: 59 });
		expect(await first.list("failing", today(), today(), 1)).toMatchObject([
			{ failures: 121, errors: 1, requests: 121 },
		]);
		const slowest = await first.list("slowest", today(), today(), 3);
		expect(slowest.map(({ tenantId }) => tenantId)).toEqual([
			"tenant-59",
			"tenant-58",
			"tenant-57",
		]);
		first.record({ tenantId: "tenant-3", signIn: "ok", status: 200, milliseconds: 1 });
		expect(await first.list("busiest", today(), today(), 3)).toMatchObject([
			{ tenantId: "tenant-3", signIns: 1 },
		]);
	});

	test("a server with very many tenants keeps those that fail most", async () => {
		const { newServer } = await newDatabase(["acme"]);
		const server = newServer();
		for (let count = 0; count < 9; count += 1) {
			server.record({ ...failed, tenantId: "acme", milliseconds: 5 });
		}
		for (let count = 0; count < 12_000; count += 1) {
			const tenantId = `tenant-${count}`;
			server.record({ tenantId, signIn: "ok", status: 200, milliseconds: 5 });
		}
		expect(await server.list("failing", today(), today(), 5)).toMatchObject([
			{ tenantId: "acme", failures: 9 },
		]);
	});

	test("figures are kept for thirty days, and deleted with their tenant", async () => {
		const { db, newServer } = await newDatabase(["acme", "globex"]);
		const days = lastDays(40);
		await db
			.insertInto("service_tenant_day")
			.values(
				days.map((day) => ({
					...{ day, tenant: "acme" },
					...{ sign_ins: 0, failures: 1, errors: 0, requests: 1, milliseconds: 1 },
				})),
			)
			.execute();
		const server = newServer();
		const [acme] = await server.list("failing", days[0] ?? "", today(), 5);
		expect(acme).toMatchObject({ tenantId: "acme", failures: 30 });
		server.record({ ...failed, tenantId: "globex", milliseconds: 1 });
		await db.deleteFrom("tenant").where("id", "=", "acme").execute();
		expect(await server.list("failing", days[0] ?? "", today(), 5)).toMatchObject([
			{ tenantId: "globex" },
		]);
	});
});
