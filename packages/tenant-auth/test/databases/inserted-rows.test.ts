import type { AuthContext } from "@better-auth/core";
import { describe, expect, it } from "vitest";
import { returnInsertedRows } from "../../src/database/inserted-rows";

type Row = Record<string, unknown>;

/** An adapter that returns the row of another insert, except in a transaction. */
function makeAdapter({
	id = "kysely",
	type = "mysql",
	generateId = "serial",
	transactions = true,
}) {
	const created: string[] = [];
	const adapter = {
		id,
		options: { type },
		create: async ({ data }: { data: Row }) => {
			created.push("on any connection");
			return { ...data, id: "2", token: "of somebody else" };
		},
		transaction: async (work: (trx: object) => Promise<Row>) =>
			work(
				transactions
					? {
							create: async ({ data }: { data: Row }) => {
								created.push("in a transaction");
								return {
									...{ ...data, id: 1, userId: Number(data.userId) },
									tenantId: data.tenantId || null,
								};
							},
						}
					: adapter,
			),
	};
	const options = { advanced: { database: { generateId } } };
	returnInsertedRows({ adapter, options } as unknown as Pick<AuthContext, "adapter" | "options">);
	const create = async (tenantId = "3") => {
		const data = { userId: "7", token: "mine", tenantId };
		return { row: await adapter.create({ data }), created };
	};
	return { create };
}

describe("with counted ids on MySQL, an insert", () => {
	it.each(["kysely", "drizzle"])("of %s runs in a transaction, on one connection", async (id) => {
		const { row, created } = await makeAdapter({ id }).create();
		expect(row).toMatchObject({ id: 1, token: "mine" });
		expect(created).toEqual(["in a transaction"]);
	});

	it("of the platform returns its row, which has no tenant", async () => {
		const { row } = await makeAdapter({}).create("");
		expect(row).toMatchObject({ token: "mine", tenantId: null });
	});

	it("fails if the adapter has no transactions and returns the row of somebody else", async () => {
		await expect(makeAdapter({ transactions: false }).create()).rejects.toThrow(
			"The database returned another row than the one that was inserted",
		);
	});
});

it.each([{ type: "postgres" }, { type: "sqlite" }, { generateId: "uuid" }])(
	"an insert is as it was with %o",
	async (other) => {
		expect((await makeAdapter(other).create()).created).toEqual(["on any connection"]);
	},
);
