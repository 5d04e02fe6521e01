import type { BetterAuthPlugin } from "better-auth";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { makeInstance } from "../support/worlds/instance";

describe.each(eachDatabase)("a transaction on %s", (_, open) => {
	let database: OpenDatabase;
	beforeAll(async () => {
		database = await open();
	});
	afterAll(() => database.close());

	it("does not plan the indexes of all tables again, which only migrations need", async () => {
		let reads = 0;
		const index = {
			get fields() {
				reads += 1;
				return ["text"] as const;
			},
		};
		const notes = {
			id: "notes",
			schema: {
				note: {
					fields: { text: { type: "string", required: true } },
					indexes: [index],
				},
			},
		} satisfies BetterAuthPlugin;
		const { auth } = await makeInstance({ plugins: [notes], on: database });
		const { adapter } = await auth.$context;
		expect(reads).toBeGreaterThan(0);
		reads = 0;

		const note = { model: "note", data: { text: "Hello" } };
		const { id } = await adapter.transaction((trx) => trx.create(note));

		expect(reads).toBe(0);
		const where = [{ field: "id", value: id }];
		expect(await adapter.findOne({ model: "note", where })).toMatchObject(note.data);
	});
});
