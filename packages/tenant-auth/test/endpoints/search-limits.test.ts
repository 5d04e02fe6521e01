import type { BetterAuthPlugin } from "better-auth";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { type Answer, type Instance, makeInstance } from "../support/worlds/instance";

/** The newest of these are searched, and beyond them the beginnings of emails. */
const COUNT = 10_020;

/** Adds the users to a tenant, one after the other. */
const addMany = ({ db }: Instance, tenantId: string) =>
	sql`
		with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${COUNT})
		insert into user (id, name, email, emailVerified, createdAt, updatedAt, tenantId)
		select 'user-' || n, 'Person ' || n, 'person-' || n || '@example.com', 0,
			strftime('%Y-%m-%dT%H:%M:%fZ', 1600000000 + n, 'unixepoch'), '2026-01-01T00:00:00.000Z',
			${sql.lit(tenantId)}
		from numbers`.execute(db);

describe("a search in a tenant of many users", () => {
	let instance: Instance;
	let tenantId: string;

	beforeAll(async () => {
		instance = await makeInstance();
		tenantId = await instance.makeTenant();
		await addMany(instance, tenantId);
	});

	const list = (query: Record<string, string>): Promise<Answer> =>
		instance.manage("/tenant/user/list", { query: { tenantId, ...query } });
	const idsOf = ({ body }: Answer): string[] => body.map(({ id }: { id: string }) => id);
	const limitOf = ({ headers }: Answer) => headers.get("x-search-limited");

	it("finds a part of the name or the email among the newest", async () => {
		const answer = await list({ search: `SON ${COUNT}` });
		expect(idsOf(answer)).toEqual([`user-${COUNT}`]);
		expect(idsOf(await list({ search: `${COUNT}@exam` }))).toEqual([`user-${COUNT}`]);
		expect([limitOf(answer), answer.headers.get("x-total-count")]).toEqual(["true", "1"]);
	});

	it("finds the beginning of any email, in either case", async () => {
		expect(idsOf(await list({ search: "person-7@" }))).toEqual(["user-7"]);
		expect(idsOf(await list({ search: "PERSON-7@EXAMPLE.COM" }))).toEqual(["user-7"]);
	});

	it("does not find a part of an old user's name", async () => {
		const answer = await list({ search: "Person 7" });
		expect(idsOf(answer)).not.toContain("user-7");
		expect(limitOf(answer)).toBe("true");
	});

	it("is a field of the list on the server", async () => {
		const { listTenantUsers } = instance.auth.api;
		const searched = await listTenantUsers({ query: { tenantId, search: "Person 7" } });
		expect(searched.searchLimited).toBe(true);
		expect((await listTenantUsers({ query: { tenantId } })).searchLimited).toBe(false);
	});

	it("takes special characters for what they are", async () => {
		expect(idsOf(await list({ search: "person-7_" }))).toEqual([]);
		expect(idsOf(await list({ search: "%" }))).toEqual([]);
	});

	it("is in order and has pages, by offset and by cursor", async () => {
		const all = await list({ search: "person-100", limit: "1000" });
		const ids = idsOf(all);
		expect(ids.length).toBeGreaterThan(20);
		expect(ids).toContain("user-100");
		const numbers = ids.map((id) => Number(id.slice("user-".length)));
		expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
		const first = await list({ search: "person-100", limit: "8" });
		const cursor = String(first.headers.get("x-next-cursor"));
		const second = await list({ search: "person-100", limit: "8", cursor });
		expect([...idsOf(first), ...idsOf(second)]).toEqual(ids.slice(0, 16));
		expect(idsOf(await list({ search: "person-100", offset: "5", limit: "8" }))).toEqual(
			ids.slice(5, 13),
		);
		const oldest = await list({ search: "person-100", limit: "1000", order: "oldest" });
		expect(idsOf(oldest)).toEqual([...ids].reverse());
	});

	it("sends as many statements as it would with twice the matches", async () => {
		const count = async (search: string) => {
			const before = instance.statements.length;
			await list({ search });
			return instance.statements.length - before;
		};
		expect(await count("no such user")).toBeLessThanOrEqual(5);
		expect(await count("e")).toBeLessThanOrEqual(20);
	});

	it("covers all users of a smaller tenant", async () => {
		const small = await instance.makeTenant();
		await instance.signUp(small, "ada@example.com");
		const answer = await list({ tenantId: small, search: "da@ex" });
		expect([answer.body.length, limitOf(answer)]).toEqual([1, null]);
	});

	it("does not see users of another tenant", async () => {
		const small = await instance.makeTenant();
		expect(idsOf(await list({ tenantId: small, search: "person" }))).toEqual([]);
	});

	it("limits a search for sessions and one for tenants too", async () => {
		const sessions = await instance.manage("/tenant/session/list", {
			query: { tenantId, search: "person-7@" },
		});
		expect([sessions.body, limitOf(sessions)]).toEqual([[], "true"]);
		const tenants = await instance.manage("/tenant/list", { query: { search: "tenant" } });
		expect(limitOf(tenants)).toBeNull();
	});
});

describe("a search in an app with an index of names", () => {
	const namesIndex = {
		id: "names-index",
		schema: { user: { fields: {}, indexes: [{ fields: ["tenantId", "name"] }] } },
	} as const satisfies BetterAuthPlugin;
	let instance: Instance;
	let tenantId: string;

	beforeAll(async () => {
		instance = await makeInstance({ plugins: [namesIndex] });
		tenantId = await instance.makeTenant();
		await addMany(instance, tenantId);
		const rename = (id: string, name: string) =>
			instance.db.updateTable("user").set({ name }).where("id", "=", id).execute();
		await rename("user-1", "ada lovelace");
		await rename("user-2", "Ada Lovelace");
		await rename("user-3", "\u00c9mile Zola");
		for (const id of notEmpty(["user-4", "user-5", "user-6"])) await rename(id, "Same Name");
	});

	const find = async (search: string): Promise<string[]> => {
		const { status, body } = await instance.manage("/tenant/user/list", {
			query: { tenantId, search, limit: "1000" },
		});
		expect(status).toBe(200);
		return body.map(({ id }: { id: string }) => id);
	};

	it("finds the beginning of any name, as it is written or in lowercase", async () => {
		expect(await find("Ada L")).toEqual(["user-2", "user-1"]);
		expect(await find("ada lovelace")).toEqual(["user-2", "user-1"]);
		expect(await find("\u00e9mile")).toEqual(["user-3"]);
		expect(await find("same name")).toEqual(["user-6", "user-5", "user-4"]);
		expect(await find("Person 77")).toContain("user-77");
		expect(await find("Lovelace")).toEqual([]);
	});

	it("takes special characters for what they are", async () => {
		for (const search of notEmpty(["A_a", "Ada%", "'", "\\", "Ada\u{10ffff}"])) {
			expect(await find(search)).toEqual([]);
		}
	});

	it("does not see users of another tenant", async () => {
		const other = await instance.makeTenant();
		const query = { tenantId: other, search: "Ada" };
		expect((await instance.manage("/tenant/user/list", { query })).body).toEqual([]);
	});

	it("sends a limited number of statements", async () => {
		const before = instance.statements.length;
		await find("pErSoN");
		expect(instance.statements.length - before).toBeLessThanOrEqual(20);
	});
});
