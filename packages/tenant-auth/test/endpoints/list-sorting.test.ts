import type { BetterAuthPlugin } from "better-auth";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import type { OpenDatabase } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { explain } from "../support/databases/query-plan";
import { type RecordedDatabase, recordStatements } from "../support/databases/recorded-database";
import { addCrowd } from "../support/worlds/crowd";
import { type Answer, type Instance, makeInstance } from "../support/worlds/instance";

type Query = Record<string, string>;

const namesIndex = {
	id: "names-index",
	schema: { user: { fields: {}, indexes: [{ fields: ["tenantId", "name"] }] } },
} as const satisfies BetterAuthPlugin;

/** Many with the same name, and some that only a database without case takes for the same. */
const NAMES = ["Ada", "Bob", "ada", "Zoe", "Ada", "\u00c9mile", "bob", "Ada", "Emil", "", "Ada"];
const COUNT = 3 * NAMES.length;

describe.each(eachDatabase)("sorted lists on %s", (_, open) => {
	let opened: OpenDatabase;
	let database: RecordedDatabase;
	let instance: Instance;
	let tenantId: string;
	let other: string;

	beforeAll(async () => {
		opened = await open();
		database = recordStatements(opened);
		instance = await makeInstance({ on: database, plugins: [namesIndex] });
		tenantId = await instance.makeTenant("zeta");
		other = await instance.makeTenant("alpha");
		const { type, db } = database;
		const now = type === "sqlite" ? new Date().toISOString() : new Date();
		for (const tenant of [tenantId, other]) {
			const users = Array.from({ length: COUNT }, (_unused, n) => ({
				...{ id: `${tenant.slice(0, 8)}-${n}`, tenantId: tenant, createdAt: now, updatedAt: now },
				...{ name: NAMES[n % NAMES.length], email: `u${(n * 17) % COUNT}@example.com` },
				emailVerified: type === "sqlite" ? 0 : false,
			}));
			await db.insertInto("user").values(users).execute();
		}
	});

	afterAll(async () => {
		if (opened.type === "sqlite") await database.db.destroy();
		await opened.close();
	});

	const list = (query: Query, path = "/tenant/user/list"): Promise<Answer> =>
		instance.manage(path, { query: path === "/tenant/list" ? query : { tenantId, ...query } });
	const textsOf = ({ body }: Answer, field: string): string[] =>
		body.map((row: Record<string, string>) => row[field]);

	async function walk(query: Query, path?: string): Promise<Answer["body"]> {
		const rows: Answer["body"] = [];
		let answer = await list(query, path);
		for (;;) {
			expect(answer.status).toBe(200);
			rows.push(...answer.body);
			const cursor = answer.headers.get("x-next-cursor");
			if (!cursor) return rows;
			answer = await list({ ...query, cursor }, path);
		}
	}

	it.each(["name", "-name", "email", "-email"])("by %s has each user once", async (sort) => {
		const field = sort.replace("-", "");
		const all = await list({ sort, limit: "1000" });
		expect(all.body).toHaveLength(COUNT);
		expect(all.headers.get("x-total-count")).toBe(String(COUNT));
		const texts = textsOf(all, field);
		for (const limit of notEmpty(["1", "2", "5", "11", String(COUNT - 1), String(COUNT)])) {
			const rows = await walk({ sort, limit });
			expect(new Set(rows.map(({ id }: { id: string }) => id)).size).toBe(COUNT);
			expect(rows).toHaveLength(COUNT);
			const walked = rows.map((row: Record<string, string>) => row[field]?.toLowerCase());
			expect(walked).toEqual(texts.map((text) => text.toLowerCase()));
		}
	});

	it("by name has each user once by offset too", async () => {
		for (const limit of notEmpty([1, 4, 10])) {
			const ids: string[] = [];
			for (let offset = 0; offset < COUNT; offset += limit) {
				const answer = await list({ sort: "name", limit: String(limit), offset: String(offset) });
				ids.push(...textsOf(answer, "id"));
			}
			expect(ids).toHaveLength(COUNT);
			expect(new Set(ids).size).toBe(COUNT);
		}
		const behind = await list({ sort: "name", offset: String(COUNT) });
		expect([behind.body, behind.headers.get("x-next-cursor")]).toEqual([[], null]);
		expect((await list({ sort: "name", offset: "5000" })).body).toEqual([]);
	});

	it("by email are in order, and turned around", async () => {
		const emails = textsOf(await list({ sort: "email", limit: "1000" }), "email");
		expect(textsOf(await list({ sort: "-email", limit: "1000" }), "email")).toEqual(
			[...emails].reverse(),
		);
		expect(emails.indexOf("u1@example.com")).toBeLessThan(emails.indexOf("u2@example.com"));
	});

	it("of tenants are by name or slug", async () => {
		const slugs = (await walk({ sort: "slug", limit: "1" }, "/tenant/list")).map(
			({ slug }: { slug: string }) => slug,
		);
		expect(slugs).toEqual(["alpha", "zeta"]);
		const byName = await list({ sort: "-name" }, "/tenant/list");
		expect(textsOf(byName, "slug")).toEqual(["zeta", "alpha"]);
	});

	it("have cursors of their own, and neither a search nor an order", async () => {
		const first = await list({ sort: "name", limit: "3" });
		const cursor = String(first.headers.get("x-next-cursor"));
		const refused: [Query, string][] = [
			[{ sort: "email", cursor }, "INVALID_CURSOR"],
			[{ sort: "-name", cursor }, "INVALID_CURSOR"],
			[{ cursor }, "INVALID_CURSOR"],
			[{ tenantId: other, sort: "name", cursor }, "INVALID_CURSOR"],
			[{ sort: "name", search: "a" }, "SORT_NOT_AVAILABLE"],
			[{ sort: "name", order: "oldest" }, "SORT_NOT_AVAILABLE"],
			[{ sort: "password" }, "VALIDATION_ERROR"],
			[{ sort: "name\u0000" }, "VALIDATION_ERROR"],
		];
		for (const [query, code] of notEmpty(refused)) {
			const { status, body } = await list(query);
			expect([query, status, body.code]).toEqual([query, 400, code]);
		}
	});

	it("read their page from an index, in a few statements", async () => {
		await addCrowd(database, tenantId);
		const { db, type } = database;
		await db.updateTable("user").set({ name: sql`email` }).where("id", "like", "crowd-%").execute();
		if (type === "postgres") await sql`analyze`.execute(db);
		if (type === "mysql") await sql`analyze table user`.execute(db);
		const explained = async (query: Query) => {
			database.statements.length = 0;
			expect((await list({ total: "none", limit: "50", ...query })).status).toBe(200);
			const statements = database.statements.filter(({ sql }) => /from ["`]user["`]/.test(sql));
			return Promise.all(
				[...statements].map(async (it) => ({
					sql: it.sql,
					...(await explain(database.db, database.type, it)),
				})),
			);
		};
		for (const sort of notEmpty(["name", "-name", "email", "-email"])) {
			const plans = await explained({ sort });
			expect(plans.length).toBeLessThanOrEqual(4);
			expect(plans.filter(({ scans }) => (scans ?? []).length > 0)).toEqual([]);
			// The page ends with its limit. The other statements sort the rows of one page at most.
			expect(plans[0]).toMatchObject({ sorts: false });
		}
	});
});

describe("a sorted list of users", () => {
	it("is not available by name without an index", async () => {
		const { makeTenant, manage } = await makeInstance();
		const tenantId = await makeTenant();
		const sortBy = (sort: string) =>
			manage("/tenant/user/list", { query: { tenantId, sort } }).then(({ status, body }) => [
				status,
				body.code,
			]);
		expect(await sortBy("name")).toEqual([400, "SORT_NOT_AVAILABLE"]);
		expect(await sortBy("email")).toEqual([200, undefined]);
	});
});

describe("a list of tenants", () => {
	it("has only those that are suspended, or only the others", async () => {
		const { makeTenant, manage } = await makeInstance();
		const [open, suspended] = [await makeTenant(), await makeTenant()];
		await manage("/tenant/suspend", { body: { tenantId: suspended } });
		const idsOf = async (query: Query) =>
			(await manage("/tenant/list", { query })).body.map(({ id }: { id: string }) => id);
		expect(await idsOf({ status: "suspended" })).toEqual([suspended]);
		expect(await idsOf({ status: "open", limit: "5" })).toEqual([open]);
		expect(await idsOf({ status: "open", sort: "name" })).toEqual([open]);
		expect(await idsOf({})).toEqual([open, suspended]);
		expect((await manage("/tenant/list", { query: { status: "gone" } })).status).toBe(400);
	});
});
