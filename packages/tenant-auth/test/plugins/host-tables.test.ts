import type { BetterAuthPlugin } from "better-auth";
import { jwt } from "better-auth/plugins";
import { runAcrossTenants, runInTenant } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { keepLog } from "../support/processes/kept-log";
import { hostile } from "../support/worlds/hostile-plugin";
import { idKinds } from "../support/worlds/id-kinds";
import { CREDENTIALS, type InstanceOptions, makeInstance } from "../support/worlds/instance";
import { makeTwoUsers } from "../support/worlds/two-tenants";
import { useWorld } from "../support/worlds/world";

const text = { type: "string", required: true } as const;

/** A plugin of the app, with tables that reference the user directly, indirectly or not at all. */
const appPlugin = () =>
	({
		id: "app",
		schema: {
			noteLine: {
				fields: {
					text: { ...text },
					noteId: { ...text, references: { model: "note", field: "id" } },
				},
			},
			reminder: { fields: { text: { ...text }, userId: { ...text } } },
			subscription: { fields: { text: { ...text }, referenceId: { ...text } } },
			setting: { fields: { text: { ...text, unique: true } } },
			keyword: {
				fields: {
					text: {
						...text,
						unique: true,
						transform: {
							input: (value) => String(value).toLowerCase(),
							output: (value) => `#${value}`,
						},
					},
					code: {
						...text,
						unique: true,
						transform: { input: async (value) => String(value).toUpperCase() },
					},
				},
			},
			profile: {
				fields: {
					text: { ...text },
					language: { ...text },
					owner: { ...text, unique: true, references: { model: "user", field: "id" } },
				},
				indexes: [{ fields: ["text", "language"], unique: true }],
			},
			news: {
				fields: {
					text: { ...text },
					author: { ...text, references: { model: "user", field: "id" } },
				},
			},
			country: { fields: { text: { ...text } } },
			// The column tenantId of this table belongs to the app, and has another meaning.
			invoice: { fields: { text: { ...text }, tenantId: { ...text } } },
		},
	}) satisfies BetterAuthPlugin;

const byId = ({ id }: { id: string }) => [{ field: "id", value: id }];

interface Note {
	id: string;
	text: string;
	userId: string;
}

async function setUp({ tenants, ...options }: InstanceOptions = {}) {
	const app = await makeTwoUsers({
		...options,
		tenants: { sharedTables: ["news", "country"], ...tenants },
		plugins: [hostile(), appPlugin()],
	});
	const { auth, db } = app;
	const { adapter } = await auth.$context;
	const inTenant = <T>(tenantId: string, work: () => Promise<T>) =>
		runInTenant(auth, tenantId, work);
	const users = { a: String(app.ada.body.user.id), b: String(app.bob.body.user.id) };
	const add = (tenantId: string, text: string) =>
		inTenant(tenantId, () =>
			adapter.create<Omit<Note, "id">, Note>({
				model: "note",
				data: { text, userId: tenantId === app.a ? users.a : users.b },
			}),
		);
	const textsIn = async (tenantId: string, query: object = {}) => {
		const found = await inTenant(tenantId, () =>
			adapter.findMany<Note>({ model: "note", ...query }),
		);
		return found.map(({ text }) => text);
	};
	const rowOwners = async () =>
		(await db.selectFrom("tenantRow").select(["model", "rowId", "tenantId"]).execute()).map(
			({ model, rowId, tenantId }) => ({ model, rowId, tenantId }),
		);
	return { ...app, adapter, inTenant, users, add, textsIn, rowOwners };
}

const world = useWorld(() => setUp());

describe("a table of a plugin of the app", () => {
	const dataOf = (model: string, text: string, userId: string, noteId: string) => ({
		text,
		...{ noteLine: { noteId }, reminder: { userId }, subscription: { referenceId: userId } }[model],
		...{ news: { author: userId } }[model],
	});

	it.each([
		["that references the user through another table", "noteLine"],
		["with a userId and no foreign key", "reminder"],
		["with a referenceId", "subscription"],
		["that references nothing", "setting"],
	])("%s is isolated", async (_, model) => {
		const { adapter, inTenant, a, b, users, add } = world();
		const note = await add(a, "a note");
		const data = dataOf(model, "same", users.a, note.id);
		const row = await inTenant(a, () => adapter.create<object, Note>({ model, data }));
		await inTenant(b, () => adapter.create({ model, data }));
		const where = [{ field: "id", value: row.id }];
		for (const query of [
			{ model, where },
			{ model, where: [] },
		]) {
			const seen = await inTenant(b, () => adapter.findMany<Note>(query));
			expect(seen.map(({ id }) => id)).not.toContain(row.id);
		}
		await inTenant(b, async () => {
			expect(await adapter.findOne({ model, where })).toBeNull();
			expect(await adapter.update({ model, where, update: { text: "taken" } })).toBeNull();
			expect(await adapter.updateMany({ model, where, update: { text: "taken" } })).toBe(0);
			expect(await adapter.consumeOne({ model, where })).toBeNull();
			expect(await adapter.deleteMany({ model, where })).toBe(0);
			await adapter.delete({ model, where });
		});
		expect(await adapter.findOne({ model, where })).toBeNull();
		expect(await inTenant(a, () => adapter.findOne({ model, where }))).toMatchObject({
			text: "same",
		});
	});

	it.each([
		["that references the user and is listed in sharedTables", "news"],
		["that is listed in sharedTables", "country"],
	])("%s is shared by all tenants", async (_, model) => {
		const { adapter, inTenant, a, b, users, rowOwners } = world();
		const data = dataOf(model, "for all", users.a, "");
		await inTenant(a, () => adapter.create({ model, data }));
		expect(await inTenant(b, () => adapter.count({ model }))).toBe(1);
		expect(await adapter.count({ model })).toBe(1);
		expect(await rowOwners()).toEqual([]);
	});

	it("may have its own tenantId, and change it", async () => {
		const { adapter, inTenant, a, b } = world();
		const [model, data] = ["invoice", { text: "one", tenantId: b }];
		const { id } = await inTenant(a, () => adapter.create<object, Note>({ model, data }));
		const find = () => adapter.findOne({ model, where: byId({ id }) });
		expect(await inTenant(a, find)).toMatchObject(data);
		const update = { tenantId: "others" };
		await inTenant(a, () => adapter.update({ model, where: byId({ id }), update }));
		expect(await inTenant(a, find)).toMatchObject(update);
		expect(await inTenant(b, find)).toBeNull();
	});

	it("that is listed in sharedTables is named in the log at start", async () => {
		const { lines, logger } = keepLog("info");
		const sharedTables = ["news", "countries"];
		const plugins = [appPlugin(), jwt()];
		const { auth } = await makeInstance({ plugins, tenants: { sharedTables }, logger });
		await auth.$context;
		expect(lines).toContain("tenantAuth: tables that all tenants share: news, jwks");
		expect(lines).toContain(
			"tenantAuth: sharedTables contains countries, but there is no such table",
		);
	});

	it.each(["user", "session", "account", "verification"])(
		"cannot be shared if it is core's: %s stops the start",
		async (model) => {
			const { auth } = await makeInstance({ tenants: { sharedTables: [model] } });
			await expect(auth.$context).rejects.toThrow(`sharedTables cannot contain ${model}`);
		},
	);

	it("has unique columns and indexes per tenant", async () => {
		const { adapter, inTenant, a, b, users } = world();
		const create = (tenantId: string, model: string, data: object) =>
			inTenant(tenantId, () => adapter.create({ model, data })).then(
				() => true,
				() => false,
			);
		const language = "en";
		const rows: [string, string, object, boolean][] = [
			[a, "setting", { text: "same" }, true],
			[b, "setting", { text: "same" }, true],
			[b, "setting", { text: "same" }, false],
			[a, "profile", { text: "same", language, owner: users.a }, true],
			[b, "profile", { text: "same", language, owner: users.b }, true],
			[b, "profile", { text: "other", language, owner: users.b }, false],
		];
		for (const [tenantId, model, data, isMade] of notEmpty(rows)) {
			expect(await create(tenantId, model, data), JSON.stringify(data)).toBe(isMade);
		}
		const where = [{ field: "text", value: "same" }];
		for (const [tenantId, owner] of [
			[a, users.a],
			[b, users.b],
		] as const) {
			const found = await inTenant(tenantId, () => adapter.findOne({ model: "profile", where }));
			expect(found).toMatchObject({ text: "same", owner });
		}
	});

	it("is searched by the texts of its unique columns, without the tenant prefix", async () => {
		const { adapter, inTenant, a, b } = world();
		const model = "setting";
		for (const tenantId of [a, b]) {
			for (const text of ["apple", "apricot", "grape"]) {
				await inTenant(tenantId, () => adapter.create({ model, data: { text } }));
			}
		}
		const conditions = [
			["contains", "ap", ["apple", "apricot", "grape"]],
			["ends_with", "pe", ["grape"]],
			["starts_with", "ap", ["apple", "apricot"]],
			["in", ["apple", "grape"], ["apple", "grape"]],
			["not_in", ["apple", "grape"], ["apricot"]],
			["ne", "apple", ["apricot", "grape"]],
		] as const;
		for (const [operator, value, texts] of notEmpty(conditions)) {
			const where = [{ field: "text", operator, value: value as string | string[] }];
			const found = await inTenant(b, () => adapter.findMany<Note>({ model, where }));
			expect(found.map(({ text }) => text).sort(), operator).toEqual(texts);
		}
	});

	it("keeps the transforms of its unique columns", async () => {
		const { adapter, inTenant, a, b } = world();
		const [model, data] = ["keyword", { text: "Ada", code: "gb" }];
		for (const tenantId of [a, b]) {
			const made = await inTenant(tenantId, () => adapter.create<object, Note>({ model, data }));
			expect(made).toMatchObject({ text: "#ada", code: "GB" });
		}
		await adapter.create({ model, data });
		expect(await adapter.findMany({ model })).toMatchObject([{ text: "#ada", code: "GB" }]);
	});

	it("is read in the same way by two instances that share the plugin object", async () => {
		const plugin = appPlugin();
		const options = { plugins: [hostile(), plugin] };
		await makeTwoUsers(options);
		const { adapter } = await (await makeTwoUsers(options)).auth.$context;
		const text = "0123456789abcdef:looks like a tenant prefix";
		await adapter.create({ model: "setting", data: { text } });
		expect(await adapter.findMany({ model: "setting" })).toMatchObject([{ text }]);
	});

	it("that cannot be made unique per tenant stops the start", async () => {
		const numbers = {
			id: "numbers",
			schema: {
				invoice: {
					fields: {
						number: { type: "number", unique: true },
						userId: { ...text, references: { model: "user", field: "id" } },
					},
				},
			},
		} satisfies BetterAuthPlugin;
		await expect(makeTwoUsers({ plugins: [numbers] })).rejects.toThrow(
			"tenantAuth: invoice.number would be unique across all tenants",
		);
	});

	it("that references a unique column of tenant data cannot be shared", async () => {
		const options = { plugins: [hostile()], tenants: { sharedTables: ["shade"] } };
		await expect(makeTwoUsers(options)).rejects.toThrow(
			"tenantAuth: shade cannot be shared, because shade.color references color.name",
		);
	});

	it.each([true, false])(
		"is joined by a foreign key to a unique column, with joins of the database: %s",
		async (joins) => {
			const { adapter, inTenant, a, b } = await setUp({ advanced: { database: { joins } } });
			const create = async () => {
				await adapter.create({ model: "color", data: { name: "red" } });
				await adapter.create({ model: "shade", data: { text: "dark", color: "red" } });
			};
			for (const tenantId of [a, b]) await inTenant(tenantId, create);
			await create();
			const shades = { model: "color", join: { shade: true } };
			const color = { model: "shade", join: { color: true }, select: ["text"] };
			const check = async () => {
				expect(await adapter.findMany(shades)).toMatchObject([
					{ name: "red", shade: [{ text: "dark", color: "red" }] },
				]);
				const where = [{ field: "text", value: "dark" }];
				expect(await adapter.findOne({ ...color, where })).toMatchObject({
					text: "dark",
					color: [{ name: "red" }],
				});
			};
			for (const tenantId of [a, b]) await inTenant(tenantId, check);
			await check();
			const all = await runAcrossTenants(() => adapter.findMany<{ shade: Note[] }>(shades));
			expect(all.map(({ shade }) => shade.length)).toEqual([1, 1, 1]);
			expect(new Set(all.flatMap(({ shade }) => shade.map(({ id }) => id))).size).toBe(3);
		},
	);

	it("that is shared is joined to a user of a tenant", async () => {
		const { adapter, inTenant, a, users } = world();
		const data = { text: "for all", author: users.a };
		await inTenant(a, () => adapter.create({ model: "news", data }));
		const found = await inTenant(a, () =>
			adapter.findMany({ model: "user", join: { news: true } }),
		);
		expect(found).toMatchObject([{ id: users.a, news: [{ text: "for all" }] }]);
	});

	it("that is shared shows no user of another tenant by a join", async () => {
		const { adapter, inTenant, a, b, users } = world();
		const data = { text: "for all", author: users.a };
		await inTenant(a, () => adapter.create({ model: "news", data }));
		const seen = await inTenant(b, () => adapter.findMany({ model: "news", join: { user: true } }));
		expect(JSON.stringify(seen)).not.toContain("@example.com");
	});
});

describe("rows with a row owner", () => {
	it("are counted, sorted and paged within their tenant", async () => {
		const { add, textsIn, adapter, inTenant, a, b } = world();
		for (let n = 0; n < 6; n += 1) await add(n % 2 ? a : b, `note ${n}`);
		const sortBy = { field: "text", direction: "desc" };
		expect((await textsIn(a)).sort()).toEqual(["note 1", "note 3", "note 5"]);
		expect(await textsIn(a, { sortBy })).toEqual(["note 5", "note 3", "note 1"]);
		expect(await textsIn(a, { sortBy, limit: 1 })).toEqual(["note 5"]);
		expect(await textsIn(a, { sortBy, limit: 2, offset: 1 })).toEqual(["note 3", "note 1"]);
		expect(await textsIn(a, { sortBy, offset: 3 })).toEqual([]);
		expect(await textsIn(a, { select: ["text"], limit: 1 })).toHaveLength(1);
		expect(await inTenant(a, () => adapter.count({ model: "note" }))).toBe(3);
		expect(await adapter.count({ model: "note" })).toBe(0);
		expect(await runAcrossTenants(() => adapter.count({ model: "note" }))).toBe(6);
	});

	it("are isolated also if a condition contains OR", async () => {
		const { add, textsIn, adapter, inTenant, a, b } = world();
		const [mine, theirs] = [await add(a, "mine"), await add(b, "theirs")];
		const conditions = [
			[{ field: "id", value: theirs.id, connector: "OR" as const }],
			[
				{ field: "id", value: theirs.id, connector: "OR" as const },
				{ field: "id", value: mine.id, connector: "OR" as const },
			],
			[
				{ field: "text", value: "mine" },
				{ field: "id", operator: "ne" as const, value: "0", connector: "OR" as const },
			],
		];
		for (const where of notEmpty(conditions)) {
			expect(await textsIn(a, { where })).not.toContain("theirs");
			await inTenant(a, () =>
				adapter.updateMany({ model: "note", where, update: { text: "mine" } }),
			);
			expect(await textsIn(b)).toEqual(["theirs"]);
		}
		for (const where of conditions)
			await inTenant(a, () => adapter.deleteMany({ model: "note", where }));
		expect([await textsIn(a), await textsIn(b)]).toEqual([[], ["theirs"]]);
	});

	it("are found, changed and deleted if there are many", async () => {
		const { adapter, inTenant, a, b, users, add, textsIn, rowOwners, db } = world();
		await add(b, "theirs");
		const data = { text: "many", userId: users.a };
		await inTenant(a, async () => {
			for (let n = 0; n < 250; n += 1) await adapter.create({ model: "note", data });
		});
		await add(b, "theirs");
		expect(await textsIn(b)).toEqual(["theirs", "theirs"]);
		expect(await textsIn(a)).toHaveLength(100);
		expect(await textsIn(a, { limit: 1000 })).toHaveLength(250);
		const sortBy = { field: "text", direction: "asc" };
		expect(await textsIn(a, { limit: 100, offset: 200, sortBy })).toHaveLength(50);
		await inTenant(a, async () => {
			expect(await adapter.count({ model: "note" })).toBe(250);
			const update = { text: "changed" };
			expect(await adapter.updateMany({ model: "note", where: [], update })).toBe(250);
			expect(
				await adapter.update({ model: "note", where: [], update: { text: "one" } }),
			).not.toBeNull();
			const ones = { model: "note", where: [{ field: "text", value: "one" }] };
			expect(await adapter.count(ones)).toBe(1);
			expect(await adapter.deleteMany({ model: "note", where: [] })).toBe(250);
		});
		expect(await db.selectFrom("note").select("text").execute()).toHaveLength(2);
		expect(await rowOwners()).toHaveLength(2);
	});

	it("of the platform are sorted and paged also if half of many rows belong to a tenant", async () => {
		const { adapter, db, a, users } = world();
		const all = Array.from({ length: 250 }, (_, n) => {
			return { id: `n${n}`, text: `note ${String(n).padStart(3, "0")}`, userId: users.a };
		});
		const isOwn = ({ id }: { id: string }) => Number(id.slice(1)) % 2 === 1;
		await db.insertInto("note").values(all).execute();
		const owners = all
			.filter((row) => !isOwn(row))
			.map(({ id }) => ({ id: `of ${id}`, model: "note", rowId: id, tenantId: a }));
		await db.insertInto("tenantRow").values(owners).execute();
		const find = async (query: object) => {
			const sortBy = { field: "text", direction: "desc" as const };
			const found = await adapter.findMany<Note>({ model: "note", sortBy, ...query });
			return found.map(({ text }) => text);
		};
		const own = all
			.filter(isOwn)
			.map(({ text }) => text)
			.reverse();
		expect(await find({ limit: 1000 })).toEqual(own);
		expect(await find({ limit: 40, offset: 60 })).toEqual(own.slice(60, 100));
		expect(await find({})).toEqual(own.slice(0, 100));
	});

	it("of the platform are not recorded", async () => {
		const { adapter, rowOwners } = world();
		const row = await adapter.create<object, Note>({ model: "setting", data: { text: "dark" } });
		expect(await adapter.findOne({ model: "setting", where: byId(row) })).toMatchObject(row);
		expect(await rowOwners()).toEqual([]);
	});

	it("are deleted together with the record of their owner", async () => {
		const { adapter, inTenant, a, add, db, rowOwners } = world();
		const [gone, kept] = [await add(a, "gone"), await add(a, "kept")];
		await inTenant(a, () => adapter.delete({ model: "note", where: byId(gone) }));
		expect(await db.selectFrom("note").select("id").execute()).toEqual([{ id: kept.id }]);
		expect((await rowOwners()).map(({ rowId }) => rowId)).toEqual([kept.id]);
	});

	it("keep their id in an update", async () => {
		const { adapter, inTenant, a, add, textsIn, users } = world();
		const { id } = await add(a, "note");
		const where = [{ field: "text", value: "note" }];
		const update = { id: "another", userId: users.a };
		await inTenant(a, async () => {
			expect(await adapter.update({ model: "note", where, update })).toMatchObject({ id });
			expect(await adapter.updateMany({ model: "note", where, update })).toBe(1);
		});
		expect(await textsIn(a)).toEqual(["note"]);
		expect(await adapter.count({ model: "note" })).toBe(0);
	});

	it("keep their owner when another one is consumed", async () => {
		const { adapter, inTenant, a, add, textsIn, rowOwners } = world();
		await add(a, "same");
		await add(a, "same");
		const where = [{ field: "text", value: "same" }];
		const consume = () => inTenant(a, () => adapter.consumeOne({ model: "note", where }));
		expect(await consume()).toMatchObject({ text: "same" });
		expect(await textsIn(a)).toEqual(["same"]);
		expect(await adapter.count({ model: "note" })).toBe(0);
		expect(await rowOwners()).toHaveLength(1);
		expect((await Promise.all([consume(), consume(), consume()])).filter(Boolean)).toHaveLength(1);
		expect(await rowOwners()).toEqual([]);
	});

	it.each([true, false])(
		"are not created if their owner cannot be recorded, with transactions: %s",
		async (transactions) => {
			const { adapter, inTenant, a, users, db } = await setUp({ transactions });
			await db.schema.dropTable("tenantRow").execute();
			const data = { text: "lost", userId: users.a };
			await expect(inTenant(a, () => adapter.create({ model: "note", data }))).rejects.toThrow();
			expect(await db.selectFrom("note").select("text").execute()).toEqual([]);
		},
	);

	it("are rolled back together with their owner", async () => {
		const { adapter, inTenant, a, users, db, rowOwners } = world();
		const data = { text: "undone", userId: users.a };
		const work = () =>
			adapter.transaction(async (trx) => {
				await trx.create({ model: "note", data });
				expect(await trx.count({ model: "note" })).toBe(1);
				throw new Error("undo");
			});
		await expect(inTenant(a, work)).rejects.toThrow("undo");
		expect([await db.selectFrom("note").select("text").execute(), await rowOwners()]).toEqual([
			[],
			[],
		]);
	});

	it.each([
		["random", 3],
		["serial", 4],
	] as const)("take few statements, with %s ids", async (generateId, create) => {
		const database = generateId === "serial" ? { generateId } : {};
		const { adapter, inTenant, a, add, users, statements } = await setUp({
			advanced: { database },
		});
		const { id } = await add(a, "note");
		const where = [{ field: "id", value: id }];
		const costOf = (work: () => Promise<unknown>) =>
			inTenant(a, async () => {
				statements.length = 0;
				await work();
				return statements.filter((sql) => !/^(begin|commit)/.test(sql)).length;
			});
		const [model, update] = ["note", { text: "changed" }];
		const byText = [{ field: "text", value: "changed" }];
		expect({
			create: await costOf(() =>
				adapter.create({ model, data: { text: "another", userId: users.a } }),
			),
			findOne: await costOf(() => adapter.findOne({ model, where })),
			findMany: await costOf(() => adapter.findMany({ model, where })),
			count: await costOf(() => adapter.count({ model, where })),
			update: await costOf(() => adapter.update({ model, where, update })),
			updateByText: await costOf(() => adapter.update({ model, where: byText, update })),
			updateMany: await costOf(() => adapter.updateMany({ model, where, update })),
			deleteMany: await costOf(() => adapter.deleteMany({ model, where })),
			consumeOne: await add(a, "last").then(() =>
				costOf(() => adapter.consumeOne({ model, where: [] })),
			),
		}).toEqual({
			create,
			...{ findOne: 2, findMany: 2, count: 2 },
			...{ update: 3, updateByText: 4, updateMany: 3 },
			...{ deleteMany: 4, consumeOne: 4 },
		});
	});
});

describe("a plugin that the app removed", () => {
	it("does not prevent the deletion of a tenant", async () => {
		const { a, add, manage, rowOwners, auth, db } = world();
		await add(a, "note");
		const owner = { id: "1", model: "ofAnOldPlugin", rowId: "1", tenantId: a };
		await db.insertInto("tenantRow").values(owner).execute();
		expect((await manage("/tenant/delete", { body: { tenantId: a } })).status).toBe(200);
		expect(await rowOwners()).toEqual([{ model: "ofAnOldPlugin", rowId: "1", tenantId: a }]);
		await expect(runInTenant(auth, a, async () => {})).rejects.toThrow("there is no tenant");
	});
});

describe.each(idKinds)("a row, with %s,", (_, kind) => {
	const world = useWorld(() => setUp(kind()));

	it("is isolated, and is deleted with its tenant", async () => {
		const { a, b, add, textsIn, manage, rowOwners, adapter, inTenant } = world();
		const mine = await add(a, "mine");
		await add(b, "theirs");
		expect([await textsIn(a), await textsIn(b)]).toEqual([["mine"], ["theirs"]]);
		const where = [{ field: "id", value: mine.id }];
		expect(await inTenant(b, () => adapter.findOne({ model: "note", where }))).toBeNull();
		const update = { text: "changed" };
		expect(await inTenant(a, () => adapter.update({ model: "note", where, update }))).toMatchObject(
			{
				id: mine.id,
			},
		);
		expect(await rowOwners()).toHaveLength(2);
		await manage("/tenant/delete", { body: { tenantId: a } });
		expect((await rowOwners()).map(({ tenantId }) => tenantId)).toEqual([b]);
		const left = await runAcrossTenants(() => adapter.findMany<Note>({ model: "note" }));
		expect(left.map(({ text }) => text)).toEqual(["theirs"]);
	});

	it("does not get the owner of a row with the same id that the database deleted", async () => {
		const { a, b, add, textsIn, adapter, db, call } = world();
		for (const next of [a, b, ""]) {
			await add(a, "gone");
			// A foreign key does the same when the user is deleted.
			await db.deleteFrom("note").execute();
			if (next) {
				await add(next, "new");
				expect(await textsIn(next)).toEqual(["new"]);
				expect(await textsIn(next === a ? b : a)).toEqual([]);
				await db.deleteFrom("note").execute();
				continue;
			}
			const body = { name: "Ada", ...CREDENTIALS };
			const { id } = (await call("/sign-up/email", { body })).body.user;
			await adapter.create({ model: "note", data: { text: "platform's", userId: id } });
			expect(await adapter.count({ model: "note" })).toBe(1);
			expect(await textsIn(a)).toEqual([]);
		}
	});
});

describe("many rows of one tenant", () => {
	const MANY = 1500;

	async function addMany({ db, a, users }: ReturnType<typeof world>) {
		const ids = Array.from({ length: MANY }, (_, n) => `a${n}`);
		const notes = ids.map((id) => ({ id, text: "of a", userId: users.a }));
		const owners = ids.map((id) => ({ id: `of ${id}`, model: "note", rowId: id, tenantId: a }));
		await db.insertInto("note").values(notes).execute();
		await db.insertInto("tenantRow").values(owners).execute();
	}

	it("are not read by queries of another tenant", async () => {
		const { a, b, add, textsIn, statements, makeTenant } = world();
		await add(b, "of b");
		await addMany(world());
		statements.length = 0;
		expect(await textsIn(b)).toEqual(["of b"]);
		expect(statements.filter((sql) => /"note"|"tenantRow"/.test(sql))).toHaveLength(2);
		expect(await textsIn(a, { limit: 1200 })).toHaveLength(1200);
		expect(await textsIn(a, { limit: 2000 })).toHaveLength(MANY);
		statements.length = 0;
		expect(await textsIn(await makeTenant())).toEqual([]);
		// PostgreSQL and MySQL reject an empty list of values.
		expect(statements.filter((sql) => sql.includes("in ()"))).toEqual([]);
	});

	it("are deleted with their tenant in batches, between which other work can run", async () => {
		const { db, database, a, manage } = world();
		await addMany(world());
		const seen = new Set<number>();
		const count = database.prepare('select count(*) as rows from "tenantRow"');
		const look = setInterval(() => seen.add((count.get() as { rows: number }).rows), 0);
		await manage("/tenant/delete", { body: { tenantId: a } });
		clearInterval(look);
		expect([...seen].filter((rows) => rows > 0 && rows < MANY)).not.toEqual([]);
		expect(await db.selectFrom("note").selectAll().execute()).toEqual([]);
	});
});
