import { beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { type Answer, type Instance, makeInstance } from "../support/worlds/instance";
import { addUsers } from "../support/worlds/many-users";

type Query = Record<string, string>;
type Item = { id: string };

/** Each list, with enough items that many were created in the same millisecond. */
const lists = {
	"/tenant/list": (_: string): Query => ({}),
	"/tenant/user/list": (tenantId: string): Query => ({ tenantId }),
	"/tenant/session/list": (tenantId: string): Query => ({ tenantId }),
	"/tenant/audit/list": (_: string): Query => ({}),
};
const paths = Object.keys(lists) as (keyof typeof lists)[];
const COUNT = 30;

describe("a list with cursors", () => {
	let instance: Instance;
	let tenantId: string;
	let other: string;

	beforeAll(async () => {
		instance = await makeInstance();
		tenantId = await instance.makeTenant();
		other = await instance.makeTenant();
		// Each creation is also an audit event.
		for (let made = 2; made < COUNT; made += 1) await instance.makeTenant();
		for (const tenant of [tenantId, other]) await addUsers(instance.db, tenant, COUNT);
	});

	const list = (path: keyof typeof lists, query: Query = {}): Promise<Answer> =>
		instance.manage(path, { query: { ...lists[path](tenantId), ...query } });

	const idsOf = ({ body }: Answer): string[] => body.map(({ id }: Item) => id);
	const nextOf = ({ headers }: Answer) => headers.get("x-next-cursor");

	async function walk(path: keyof typeof lists, query: Query): Promise<string[]> {
		const ids: string[] = [];
		let answer = await list(path, query);
		for (;;) {
			expect(answer.status).toBe(200);
			ids.push(...idsOf(answer));
			const cursor = nextOf(answer);
			if (!cursor) return ids;
			answer = await list(path, { ...query, cursor });
		}
	}

	describe.each(paths)("%s", (path) => {
		it("is the same as with offsets, and ends without a cursor", async () => {
			const all = idsOf(await list(path, { limit: "1000" }));
			expect(all).toHaveLength(COUNT);
			for (const limit of ["1", "7", "10", "1000"]) {
				expect(await walk(path, { limit })).toEqual(all);
			}
		});

		it("begins with the last page in the other order", async () => {
			const order = path === "/tenant/list" ? "newest" : "oldest";
			const all = idsOf(await list(path, { limit: "1000" }));
			expect(await walk(path, { limit: "8", order })).toEqual([...all].reverse());
			const page = await list(path, { limit: "8", order, offset: "3" });
			expect(idsOf(page)).toEqual([...all].reverse().slice(3, 11));
		});

		it("counts unless a cursor is sent or nobody wants to know", async () => {
			const first = await list(path, { limit: "10" });
			const cursor = String(nextOf(first));
			const totalOf = async (query: Query) =>
				(await list(path, { limit: "10", ...query })).headers.get("x-total-count");
			expect(first.headers.get("x-total-count")).toBe(String(COUNT));
			expect(await totalOf({ total: "none" })).toBeNull();
			expect(await totalOf({ cursor })).toBeNull();
			expect(await totalOf({ cursor, total: "exact" })).toBe(String(COUNT));
		});

		it("rejects a cursor of another order, of another list, and one that was changed", async () => {
			const elsewhere = path === "/tenant/list" ? "/tenant/user/list" : "/tenant/list";
			const cursor = String(nextOf(await list(path, { limit: "10" })));
			const order = path === "/tenant/list" ? "newest" : "oldest";
			const [position = "", signature = ""] = cursor.split(".");
			const answers = await Promise.all([
				list(path, { cursor, order }),
				list(elsewhere, { cursor }),
				list(path, { cursor: position }),
				list(path, { cursor: `${position}.` }),
				list(path, { cursor: `${btoa('[0,"a"]')}.${signature}` }),
				list(path, { cursor: "\u0000" }),
				list(path, { cursor: "é.é" }),
				list(path, { cursor, offset: "1" }),
			]);
			for (const { status, body } of notEmpty(answers)) {
				expect([status, body.code]).toEqual([400, "INVALID_CURSOR"]);
			}
		});

		it("rejects an order, a total and a cursor that cannot be", async () => {
			const queries: Record<string, string>[] = [
				{ order: "random" },
				{ total: "some" },
				{ cursor: "" },
				{ cursor: "x".repeat(2049) },
			];
			for (const query of notEmpty(queries)) {
				const { status, body } = await list(path, query);
				expect([status, body.code]).toEqual([400, "VALIDATION_ERROR"]);
			}
		});
	});

	it.each(["/tenant/user/list", "/tenant/session/list"] as const)(
		"does not open another tenant's list: %s",
		async (path) => {
			const cursor = String(nextOf(await list(path, { limit: "10" })));
			const answer = await list(path, { tenantId: other, cursor });
			expect([answer.status, answer.body.code]).toEqual([400, "INVALID_CURSOR"]);
		},
	);

	it("does not open the events of one tenant with a cursor of all", async () => {
		const cursor = String(nextOf(await list("/tenant/audit/list", { limit: "10" })));
		const answer = await list("/tenant/audit/list", { tenantId, cursor });
		expect([answer.status, answer.body.code]).toEqual([400, "INVALID_CURSOR"]);
	});

	it("does not depend on how the request names the tenant", async () => {
		const cursor = String(nextOf(await list("/tenant/user/list", { limit: "10" })));
		const named = await instance.manage("/tenant/user/list", {
			query: { limit: "10", cursor },
			tenant: tenantId,
		});
		expect(idsOf(named)).toEqual(idsOf(await list("/tenant/user/list", { limit: "10", cursor })));
	});

	it("continues a search, and only that search", async () => {
		const search = "user1";
		const all = idsOf(await list("/tenant/user/list", { search }));
		expect(all.length).toBeGreaterThan(5);
		expect(await walk("/tenant/user/list", { search, limit: "4" })).toEqual(all);
		expect(await walk("/tenant/user/list", { search: "r1%", limit: "4" })).toEqual([]);
		const cursor = String(nextOf(await list("/tenant/user/list", { search, limit: "4" })));
		const answer = await list("/tenant/user/list", { search: "user2", cursor });
		expect([answer.status, answer.body.code]).toEqual([400, "INVALID_CURSOR"]);
	});

	it("continues after a row that was deleted", async () => {
		const first = await list("/tenant/user/list", { limit: "10" });
		const rest = await walk("/tenant/user/list", { cursor: String(nextOf(first)), limit: "10" });
		const userId = String(idsOf(first).at(-1));
		await instance.manage("/tenant/user/delete", { body: { tenantId, userId } });
		const cursor = String(nextOf(first));
		expect(await walk("/tenant/user/list", { cursor, limit: "10" })).toEqual(rest);
	});
});
