import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, type Instance, makeInstance, ORIGIN } from "../support/worlds/instance";
import { importTenants } from "../support/worlds/many-tenants";

type Listed = { id: string; slug: string; createdAt: string };

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

/** More than a batch in one moment, less than a batch in others, and some alone in theirs. */
const moments = [
	...Array.from({ length: 10 }, (_, n) => ({ createdAt: at(n), count: 1 })),
	...Array.from({ length: 30 }, (_, n) => ({ createdAt: at(20 + n), count: 5 })),
	{ createdAt: at(100), count: 600 },
	...Array.from({ length: 20 }, (_, n) => ({ createdAt: at(110 + n), count: 20 })),
];
const COUNT = moments.reduce((sum, { count }) => sum + count, 0);

describe("the list of tenants of which many were created in one moment", () => {
	let instance: Instance;
	beforeAll(async () => {
		instance = await makeInstance();
		await importTenants(instance.db, moments);
	});

	const list = async (query: Record<string, string> = {}): Promise<Answer> =>
		instance.manage("/tenant/list", { query });

	async function pages(limit: number, query: Record<string, string> = {}): Promise<Listed[]> {
		const all: Listed[] = [];
		for (;;) {
			const page = { limit: String(limit), offset: String(all.length) };
			const { body } = await list({ ...query, ...page });
			all.push(...body);
			if (body.length < limit) return all;
		}
	}

	const ids = (tenants: Listed[]) => tenants.map(({ id }) => id);

	it("has each once, oldest first, and by id where they are equally old", async () => {
		const { body } = await list();
		expect(body).toHaveLength(COUNT);
		const keys = body.map(({ createdAt, id }: Listed) => `${createdAt} ${id}`);
		expect(keys).toEqual([...keys].sort());
		expect(new Set(keys).size).toBe(COUNT);
	});

	it.each([29, 333, 1100])("is the same in pages of %i", async (limit) => {
		expect(ids(await pages(limit))).toEqual(ids((await list()).body));
	});

	it("is the same in pages of a search", async () => {
		const { body } = await list({ search: "team-1" });
		expect(ids(await pages(50, { search: "team-1" }))).toEqual(ids(body));
		expect(body.every(({ slug }: Listed) => slug.includes("team-1"))).toBe(true);
	});

	it("does not shift when some are deleted while it is walked", async () => {
		const half = await list({ limit: "500" });
		const { id } = half.body[3];
		await instance.manage("/tenant/delete", { body: { tenantId: id } });
		const after = (await list()).body as Listed[];
		expect(ids(after).slice(0, 499)).toEqual(ids(half.body).filter((it) => it !== id));
	});
});

describe("a list of more than a thousand tenants", () => {
	let instance: Instance;
	beforeAll(async () => {
		instance = await makeInstance();
		await importTenants(instance.db, moments);
	});

	const ask = (query = "") =>
		instance.auth.handler(
			new Request(`${ORIGIN}/api/auth/tenant/list${query}`, {
				headers: { authorization: "Bearer management-key-of-the-tests" },
			}),
		);

	it("comes piece by piece, as one JSON array with the total beside it", async () => {
		const response = await ask();
		expect(response.status).toBe(200);
		expect(response.headers.get("content-type")).toBe("application/json");
		expect(response.headers.get("x-total-count")).toBe(String(COUNT));
		const pieces: Uint8Array[] = [];
		for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
			pieces.push(piece);
		}
		expect(pieces.length).toBeGreaterThan(3);
		expect(JSON.parse(Buffer.concat(pieces).toString())).toHaveLength(COUNT);
	});

	it("keeps to limit and offset", async () => {
		const all = (await (await ask()).json()) as Listed[];
		const part = (await (await ask("?limit=1050&offset=60")).json()) as Listed[];
		expect(part).toEqual(all.slice(60, 1110));
	});

	it("may be hung up on", async () => {
		const response = await ask();
		await response.body?.cancel();
		expect((await ask("?limit=1")).status).toBe(200);
	});

	it("is an array for server code", async () => {
		const tenants = await instance.auth.api.listTenants();
		expect(tenants).toHaveLength(COUNT);
		expect(tenants[0]?.createdAt).toBeInstanceOf(Date);
	});

	it("refuses whoever may not manage before the first piece", async () => {
		const response = await instance.call("/tenant/list");
		expect(response.status).toBe(401);
	});
});
