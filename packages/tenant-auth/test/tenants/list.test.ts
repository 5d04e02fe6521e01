import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, type Instance, makeInstance } from "../support/worlds/instance";

const COUNT = 130;
const slugs = (answer: Answer): string[] => answer.body.map(({ slug }: { slug: string }) => slug);
const names = (answer: Answer): string[] => answer.body.map(({ name }: { name: string }) => name);

describe("the list of tenants", () => {
	let many: Instance;
	let odd: Instance;
	const created = Array.from({ length: COUNT }, (_, index) => `team-${index}`);
	const oddNames = ["50% off", "50 percent", "under_score", "underXscore", "back\\slash", "%_\\"];

	beforeAll(async () => {
		many = await makeInstance();
		for (const slug of created) await many.makeTenant(slug);
		odd = await makeInstance();
		for (const [index, name] of oddNames.entries()) {
			await odd.manage("/tenant/create", { body: { name, slug: `odd-${index}` } });
		}
	});

	const list = (query: Record<string, string> = {}) => many.manage("/tenant/list", { query });
	const search = (text: string, query: Record<string, string> = {}) =>
		odd.manage("/tenant/list", { query: { search: text, ...query } });

	it("is empty without tenants", async () => {
		const { manage } = await makeInstance();
		const { status, body, headers } = await manage("/tenant/list");
		expect(status).toBe(200);
		expect(body).toEqual([]);
		expect(headers.get("x-total-count")).toBe("0");
	});

	it("does not stop at the adapter's first 100 rows", async () => {
		const answer = await list();
		expect(answer.status).toBe(200);
		expect(answer.body).toHaveLength(COUNT);
		expect(answer.headers.get("x-total-count")).toBe(String(COUNT));
	});

	it("has the oldest first", async () => {
		expect(slugs(await list())).toEqual(created);
	});

	it("shows each tenant as get does", async () => {
		const [first] = (await list({ limit: "1" })).body;
		const { body } = await many.manage("/tenant/get", { query: { id: first.id } });
		expect(first).toEqual(body);
		expect(Object.keys(first).sort()).toEqual(
			["createdAt", "id", "metadata", "name", "slug", "updatedAt"].sort(),
		);
	});

	it("gives the page that is asked for, and the total beside it", async () => {
		const page = await list({ limit: "10", offset: "95" });
		expect(slugs(page)).toEqual(created.slice(95, 105));
		expect(page.headers.get("x-total-count")).toBe(String(COUNT));
		expect(slugs(await list({ offset: "120" }))).toEqual(created.slice(120));
		expect(slugs(await list({ limit: "125" }))).toEqual(created.slice(0, 125));
		expect(slugs(await list({ limit: "10", offset: "125" }))).toEqual(created.slice(125));
	});

	it("is empty beyond the end", async () => {
		const page = await list({ limit: "10", offset: String(COUNT) });
		expect(page.status).toBe(200);
		expect(page.body).toEqual([]);
		expect(page.headers.get("x-total-count")).toBe(String(COUNT));
	});

	it.each<Record<string, string>>([
		{ limit: "0" },
		{ limit: "-1" },
		{ limit: "1.5" },
		{ limit: "many" },
		{ limit: "1e400" },
		{ offset: "-1" },
		{ offset: "x" },
		{ offset: "99999999999999999999" },
		{ search: "x".repeat(201) },
		{ search: "a\u0000b" },
	])("refuses %j", async (query) => {
		const { status, body } = await list(query);
		expect(status).toBe(400);
		expect(body.code).toBe("VALIDATION_ERROR");
		expect(body.message).toContain(Object.keys(query)[0]);
	});

	it("finds a part of the slug, and counts what it found", async () => {
		const answer = await list({ search: "eam-12" });
		expect(slugs(answer)).toEqual(created.filter((slug) => slug.includes("eam-12")));
		expect(answer.headers.get("x-total-count")).toBe("11");
		const page = await list({ search: "eam-12", limit: "2", offset: "3" });
		expect(slugs(page)).toEqual(["team-122", "team-123"]);
		expect(page.headers.get("x-total-count")).toBe("11");
	});

	it("finds a part of the name, in either case", async () => {
		expect(names(await search("PERCENT"))).toEqual(["50 percent"]);
	});

	it("takes an empty search for none", async () => {
		expect((await search("")).body).toHaveLength(oddNames.length);
	});

	it.each([
		["%", ["50% off", "%_\\"]],
		["_", ["under_score", "%_\\"]],
		["\\", ["back\\slash", "%_\\"]],
		["50%", ["50% off"]],
		["R_S", ["under_score"]],
		["k\\s", ["back\\slash"]],
		["%_\\", ["%_\\"]],
		["%%", []],
		["50% off' or '1'='1", []],
	])("takes %s in a search for what it is", async (text, found) => {
		const answer = await search(text);
		expect(names(answer)).toEqual(found);
		expect(answer.headers.get("x-total-count")).toBe(String(found.length));
	});

	it("pages through a search with special characters", async () => {
		const answer = await search("%", { limit: "1", offset: "1" });
		expect(names(answer)).toEqual(["%_\\"]);
		expect(answer.headers.get("x-total-count")).toBe("2");
	});
});
