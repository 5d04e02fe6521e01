import { readFileSync } from "node:fs";
import { getMigrations } from "better-auth/db/migration";
import { CompiledQuery, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { services } from "../../../../testing/services";
import { type OpenDatabase, openPostgres } from "../support/databases/databases";
import type { Statement } from "../support/databases/query-plan";
import { recordStatements } from "../support/databases/recorded-database";
import { type Instance, makeInstance } from "../support/worlds/instance";
import { describeMainBehaviors } from "./main/describe-main-behaviors";

const script = readFileSync(new URL("../../../../docs/partitions.sql", import.meta.url), "utf8");

/** The partitions that a plan reads. */
const partitionsIn = (plan: string) => plan.match(/ on user_\d+| on session_\d+/g)?.length ?? 0;

/** How many partitions a statement reads. */
async function countPartitions({ db }: OpenDatabase, { sql: text, parameters }: Statement) {
	const query = CompiledQuery.raw(`explain ${text}`, [...parameters]);
	const { rows } = await db.executeQuery<{ "QUERY PLAN": string }>(query);
	return partitionsIn(rows.map((row) => row["QUERY PLAN"]).join("\n"));
}

/** What a session check sends to tables that are split already. */
async function recordSessionCheck(database: OpenDatabase, tenantInSessionTokens: boolean) {
	const recorded = recordStatements(database);
	const app = await makeInstance({
		// The tables are there, and Better Auth's migration would not see that.
		on: { ...recorded, prepare: async ({ database }) => database },
		tenants: { tenantInSessionTokens },
	});
	const { cookie } = await app.signUp(await app.makeTenant());
	recorded.statements.length = 0;
	expect((await app.call("/get-session", { cookie })).body.user.name).toBe("User");
	return recorded.statements;
}

const PARTS = "parts constant int := 16;";

/** Tables as Better Auth's migration makes them, and split afterwards. */
async function openPartitioned(parts = 16): Promise<OpenDatabase> {
	const database = await openPostgres(String(services.postgres));
	let isSplit = false;
	return {
		...database,
		async prepare(options) {
			if (!isSplit) {
				await (await getMigrations(options)).runMigrations();
				expect(script).toContain(PARTS);
				const text = script.replace(PARTS, PARTS.replace("16", String(parts)));
				await sql.raw(text).execute(database.db);
			}
			isSplit = true;
			return options.database;
		},
	};
}

describe.skipIf(!services.postgres)("on PostgreSQL with hash partitions by tenant", () => {
	describeMainBehaviors(() => openPartitioned(), {
		options: () => ({ tenants: { tenantInSessionTokens: true } }),
		// The schema is another one on purpose: see below.
		only: [
			...(["users", "sessions", "mails", "tenants", "erasing", "operating"] as const),
			...(["OAuth configs", "social sign-in", "other plugins"] as const),
		],
	});

	describe("its tables", () => {
		let database: OpenDatabase;
		let instance: Instance;

		beforeAll(async () => {
			database = await openPartitioned();
			instance = await makeInstance({ on: database });
		});
		afterAll(() => database.close());

		const planOf = async (query: ReturnType<typeof sql>) => {
			const { rows } = await sql<{ "QUERY PLAN": string }>`explain ${query}`.execute(database.db);
			return rows.map((row) => row["QUERY PLAN"]).join("\n");
		};

		it("have all columns, but Better Auth's migration does not see their indexes", async () => {
			const { toBeCreated, toBeAdded, compileMigrations } = await getMigrations(instance.options);
			expect([toBeCreated, toBeAdded]).toEqual([[], []]);
			const statements = (await compileMigrations()).split(";").filter((it) => it.trim());
			expect(statements.length).toBeGreaterThan(0);
			for (const statement of notEmpty(statements)) {
				const name = /create (?:unique )?index "(.*?)"/.exec(statement)?.[1];
				const { rows } = await sql`
					select 1 from pg_indexes where indexname = ${name}`.execute(database.db);
				expect([name, rows.length]).toEqual([name, 1]);
			}
		});

		it("have rows of a tenant in one partition", async () => {
			const tenantId = await instance.makeTenant();
			for (const name of ["ada", "bob", "eve"]) {
				expect((await instance.signUp(tenantId, `${name}@example.com`)).status).toBe(200);
			}
			for (const table of ["user", "account", "session"]) {
				const { rows } = await sql<{ partitions: string; n: string }>`
					select count(distinct tableoid) as partitions, count(*) as n from ${sql.table(table)}
					where "tenantId" = ${tenantId}`.execute(database.db);
				expect([table, rows[0]]).toEqual([table, { partitions: "1", n: "3" }]);
			}
		});

		it("are looked up in one partition by tenant, and in all of them without", async () => {
			const byTenant = sql`select * from "user" where id = 'x' and "tenantId" = 'y'`;
			expect(partitionsIn(await planOf(byTenant))).toBe(1);
			expect(partitionsIn(await planOf(sql`select * from "user" where id = 'x'`))).toBe(16);
			expect(partitionsIn(await planOf(sql`select * from session where token = 'x'`))).toBe(16);
		});

		it("do not keep a token unique across tenants, as the whole table did", async () => {
			const insert = (tenantId: string) => sql`
				insert into session (id, token, "userId", "expiresAt", "createdAt", "updatedAt", "tenantId")
				select 'of-' || ${tenantId}::text, 'the same', id, now(), now(), now(), "tenantId"
				from "user" where "tenantId" = ${tenantId}`;
			const tenants = [await instance.makeTenant(), await instance.makeTenant()];
			for (const tenantId of tenants) {
				await instance.signUp(tenantId);
				await insert(tenantId).execute(database.db);
			}
			await expect(insert(String(tenants[0])).execute(database.db)).rejects.toThrow(/unique/);
		});
	});

	// The table in docs/scaling.md has these numbers.
	describe.each([1, 16, 64])("a session check, with %i partitions of each table", (parts) => {
		let database: OpenDatabase;

		beforeAll(async () => {
			database = await openPartitioned(parts);
			await makeInstance({ on: database });
		});
		afterAll(() => database.close());

		it.each([
			["reads one of sessions and one of users, if the token names the tenant", true, [1, 1]],
			["reads all of sessions and one of users, if not", false, [parts, 1]],
		])("%s", async (_, tenantInSessionTokens, expected) => {
			const statements = await recordSessionCheck(database, tenantInSessionTokens);
			expect(statements).toHaveLength(3);
			const onUsers = statements.filter(({ sql }) => /from "(session|user)"/.test(sql));
			const read = await Promise.all(onUsers.map((it) => countPartitions(database, it)));
			expect(read).toEqual(expected);
		});
	});
});
