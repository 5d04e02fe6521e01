import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { newTenant, newUser, runningService } from "./running-service";
import { postgresDatabase } from "./temporary-database";

describe.skipIf(!services.postgres)("long names on PostgreSQL", () => {
	test("names that do not fit into the index are cut before, and rejected later", async () => {
		const DATABASE_URL = await postgresDatabase(services.postgres as string);
		const first = await runningService({ DATABASE_URL });
		const tenant = { "x-tenant-id": await newTenant(first.post, "acme") };
		await first.post("/tenant/sign-up/email", newUser("ada@example.com"), tenant);
		const name = randomBytes(6000).toString("base64");
		const { db } = first.backend.database;
		// As before the index existed.
		await sql`drop index "user_name_idx"`.execute(db);
		await sql`drop index "user_tenantId_name_idx"`.execute(db);
		await sql`update "user" set name = ${name}`.execute(db);
		await first.close();

		const second = await runningService({ DATABASE_URL });
		const found = await sql<{ name: string }>`select name from "user"`.execute(
			second.backend.database.db,
		);
		expect(found.rows).toEqual([{ name: name.slice(0, 255) }]);
		const long = { ...newUser("bob@example.com"), name };
		const refused = await second.post("/tenant/sign-up/email", long, tenant);
		expect([refused.status, await refused.json()]).toMatchObject([
			400,
			{ code: "VALIDATION_ERROR" },
		]);
		const usual = { ...newUser("bob@example.com"), name: name.slice(0, 255) };
		expect((await second.post("/tenant/sign-up/email", usual, tenant)).status).toBe(200);
	});
});
