import { cleanUp } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { describeCleanUp } from "../support/clean-up-behaviors";
import { openSqlite } from "../support/databases";
import { makeInstance } from "../support/instance";

describe("cleanUp on SQLite", () => {
	describeCleanUp(openSqlite);

	it("deletes audit events that are past the retention", async () => {
		const { auth, db, makeTenant } = await makeInstance({
			tenants: { audit: { retentionDays: 30 } },
		});
		await makeTenant();
		const createdAt = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000).toISOString();
		await db.updateTable("tenantAuditEvent").set({ createdAt }).execute();
		expect((await cleanUp(auth)).auditEvents).toBe(1);
	});
});
