import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { services } from "../../../../../testing/services";
import { openPostgres } from "../../support/databases/databases";
import { makeInstance } from "../../support/worlds/instance";

const { postgres = "" } = services;

/** A database that says that it is another engine, whose advisory locks fail as there. */
async function openOther(version: string) {
	const on = await openPostgres(postgres);
	onTestFinished(() => on.close());
	const run = (text: string) => sql.raw(text).execute(on.db);
	await run(
		`create function public.version() returns text language sql as $$ select '${version}' $$`,
	);
	for (const name of ["pg_advisory_xact_lock", "pg_advisory_xact_lock_shared"]) {
		await run(
			`create function public.${name}(int, int) returns void language plpgsql as $$ begin raise 'unknown function'; end $$`,
		);
	}
	const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(on.db);
	// For the connections of the app, which are opened later.
	await run(`alter database "${rows[0]?.name}" set search_path = public, pg_catalog`);
	return makeInstance({ on });
}

describe.skipIf(!postgres)("an engine like PostgreSQL without advisory locks", () => {
	it.each([
		"CockroachDB CCL v24.3.1 (x86_64-pc-linux-gnu)",
		"PostgreSQL 11.2-YB-2.20.1.3-b0 on x86_64",
	])("signs up in an open tenant only: %s", async (version) => {
		const instance = await openOther(version);
		const tenantId = await instance.makeTenant();
		expect((await instance.signUp(tenantId, "early@example.com")).status).toBe(200);
		const { status } = await instance.manage("/tenant/suspend", { body: { tenantId } });
		expect(status).toBe(200);
		expect((await instance.signUp(tenantId, "late@example.com")).body.code).toBe(
			"TENANT_SUSPENDED",
		);
	});

	it("has locks that this test would notice", async () => {
		const instance = await openOther("PostgreSQL 15.4 on x86_64");
		const tenantId = await instance.makeTenant();
		expect((await instance.signUp(tenantId)).status).not.toBe(200);
	});
});
