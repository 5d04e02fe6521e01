import { readFileSync } from "node:fs";
import { runInTenant, setDatabaseTenant } from "better-auth-tenant";
import { CompiledQuery, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { services } from "../../../../testing/services";
import { type OpenDatabase, openPostgres } from "../support/databases/databases";
import { type Instance, makeInstance } from "../support/worlds/instance";

/** The statements of the document, which an app runs in a migration. */
const page = readFileSync(
	new URL("../../../../docs/row-level-security.md", import.meta.url),
	"utf8",
);
const [, statements = ""] = /```sql\n([^`]+)```/.exec(page) ?? [];

describe.skipIf(!services.postgres)("Row Level Security", () => {
	let on: OpenDatabase;
	let app: Instance;
	let tenants: string[];
	const role = `app_${Math.random().toString(36).slice(2, 10)}`;

	beforeAll(async () => {
		on = await openPostgres(String(services.postgres));
		app = await makeInstance({ on: { db: on.db, type: on.type } });
		tenants = [await app.makeTenant(), await app.makeTenant()];
		for (const statement of statements.split(";").filter((it) => it.trim())) {
			await sql.raw(statement).execute(on.db);
		}
		// The owner of a table and superusers may see all rows.
		await sql.raw(`create role ${role}`).execute(on.db);
		await sql.raw(`grant all on invoice to ${role}`).execute(on.db);
	});

	afterAll(async () => {
		await sql.raw(`drop owned by ${role}`).execute(on.db);
		await sql.raw(`drop role ${role}`).execute(on.db);
		await on.close();
	});

	/** Runs statements in a transaction of the app's role. */
	const inTransaction = (work: (run: typeof query) => Promise<unknown>, tenantId?: string) =>
		on.db.transaction().execute(async (trx) => {
			await sql.raw(`set local role ${role}`).execute(trx);
			const run = (text: string, values: string[] = []) =>
				trx.executeQuery(CompiledQuery.raw(text, values));
			await setDatabaseTenant(run, tenantId);
			return work(run);
		});
	type Query = (text: string, values?: string[]) => Promise<{ rows: unknown[] }>;
	const query: Query = async () => ({ rows: [] });

	const add = (id: string, tenantId: string) =>
		inTransaction(
			(run) => run("insert into invoice (id, tenant_id) values ($1, $2)", [id, tenantId]),
			tenantId,
		);
	const list = (tenantId?: string) =>
		inTransaction(async (run) => (await run("select id from invoice order by id")).rows, tenantId);

	it("shows a transaction the rows of its tenant alone", async () => {
		const [one = "", two = ""] = tenants;
		await add("a", one);
		await add("b", two);
		expect(await list(one)).toEqual([{ id: "a" }]);
		expect(await list(two)).toEqual([{ id: "b" }]);
	});

	it("takes the tenant of the running request, and shows nothing without one", async () => {
		const [one = ""] = tenants;
		await add("c", one);
		const inOne = await runInTenant(app.auth, one, () => list());
		expect(inOne).toContainEqual({ id: "c" });
		expect(await list()).toEqual([]);
	});

	it("rejects a row of another tenant", async () => {
		const [one = "", two = ""] = tenants;
		const insert = inTransaction(
			(run) => run("insert into invoice (id, tenant_id) values ($1, $2)", ["d", two]),
			one,
		);
		await expect(insert).rejects.toThrow("row-level security");
	});

	it("forgets the tenant with the transaction", async () => {
		const [one = ""] = tenants;
		await list(one);
		const { rows } = await sql`select current_setting('app.tenant_id', true) as id`.execute(on.db);
		expect(rows).toEqual([{ id: expect.not.stringContaining(one) }]);
	});
});
