import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { services } from "../../../../testing/services";
import { type OpenDatabase, openPostgres } from "../support/databases/databases";
import { type Instance, makeInstance } from "../support/worlds/instance";
import { importTenants } from "../support/worlds/many-tenants";

describe.skipIf(!services.postgres)("the list of tenants on PostgreSQL", () => {
	let database: OpenDatabase;
	let instance: Instance;

	beforeAll(async () => {
		database = await openPostgres(String(services.postgres));
		instance = await makeInstance({ on: database });
		const microseconds = (n: number) =>
			sql`timestamptz '2026-01-01 00:00:00.0005+00' + ${n} * interval '1 microsecond'`;
		// Some of one millisecond that are not of one microsecond, and many of one microsecond.
		await importTenants(instance.db, [
			...Array.from({ length: 20 }, (_, n) => ({ createdAt: microseconds(20 - n), count: 3 })),
			{ createdAt: microseconds(900), count: 300 },
		]);
	});
	afterAll(() => database.close());

	it("has each tenant once on its pages, however finely times are kept", async () => {
		const ids: string[] = [];
		for (let length = -1; length !== ids.length; ) {
			length = ids.length;
			const query = { limit: "50", offset: String(length) };
			const { body } = await instance.manage("/tenant/list", { query });
			ids.push(...body.map(({ id }: { id: string }) => id));
		}
		expect(ids).toHaveLength(360);
		expect(new Set(ids).size).toBe(360);
		const { body } = await instance.manage("/tenant/list");
		expect(body.map(({ id }: { id: string }) => id)).toEqual(ids);
	});
});
