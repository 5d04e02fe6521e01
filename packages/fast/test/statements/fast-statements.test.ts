import type { AuthContext } from "@better-auth/core";
import type { DBAdapter, JoinOption, Where } from "@better-auth/core/db/adapter";
import { ProxyTracerProvider, type Span, type Tracer, trace } from "@opentelemetry/api";
import { getAdapter } from "better-auth/db/adapter";
import { CamelCasePlugin } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stopClock } from "../../../../testing/stopped-clock";
import type { OpenDatabase } from "../../../tenant-auth/test/support/databases/databases";
import { eachDatabase } from "../../../tenant-auth/test/support/databases/each-database";
import {
	type InstanceOptions,
	makeInstance,
} from "../../../tenant-auth/test/support/worlds/instance";
import { runStatementsDirectly } from "../../src/statements/fast-statements";

/** Fields of every type that Better Auth has, some of them with defaults or transformed. */
const additionalFields = {
	level: { type: "number", required: false },
	staff: { type: "boolean", required: false },
	since: { type: "date", required: false },
	labels: { type: "string[]", required: false },
	settings: { type: "json", required: false },
	plan: { type: "string", required: true, defaultValue: "free" },
	shouted: {
		type: "string",
		required: false,
		transform: {
			input: async (value) => (value ? String(value).toLowerCase() : value),
			output: async (value) => (value ? String(value).toUpperCase() : value),
		},
	},
} satisfies NonNullable<InstanceOptions["user"]>["additionalFields"];

const SINCE = new Date(1_700_000_000_000);

const variations: [string, InstanceOptions, plugin?: CamelCasePlugin][] = [
	["as they are", {}],
	[
		"with other names",
		{
			user: { modelName: "person", fields: { emailVerified: "is_verified", createdAt: "made_at" } },
			session: { modelName: "visit", fields: { userId: "person_id", expiresAt: "ends_at" } },
		},
	],
	["with counted ids", { advanced: { database: { generateId: "serial" } } }],
	["with UUIDs", { advanced: { database: { generateId: "uuid" } } }],
	["that a plugin of Kysely renames", {}, new CamelCasePlugin()],
];

let made = 0;

/** Values of a user. Each call has another email. */
function person(values: Record<string, unknown> = {}) {
	const now = new Date(Date.now() - 1000);
	made += 1;
	return {
		name: "Ada",
		email: `ada-${made}@example.com`,
		emailVerified: false,
		createdAt: now,
		updatedAt: now,
		tenantId: "",
		...values,
	};
}

/** Direct statements must do the same as Better Auth's adapter. */
describe.each(eachDatabase)("direct statements on %s", (_, open) => {
	describe.each(variations)("tables %s", (_, { user, ...options }, plugin) => {
		let on: OpenDatabase;
		let plain: DBAdapter;
		let direct: DBAdapter;
		let ctx: AuthContext;

		beforeAll(async () => {
			on = await open();
			const { type } = on;
			const db = plugin ? on.db.withPlugin(plugin) : on.db;
			const app = await makeInstance({
				...options,
				user: { ...user, additionalFields },
				on: { db, type },
			});
			ctx = (await app.auth.$context) as unknown as AuthContext;
			plain = await getAdapter(ctx.options);
			direct = await getAdapter(ctx.options);
			runStatementsDirectly({ ...ctx, adapter: direct } as AuthContext);
		});

		afterAll(() => on.close());

		/** Does the same with both adapters, each with a row of its own, and compares without the ids. */
		async function compare<T>(work: (adapter: DBAdapter, row: { id: string }) => Promise<T>) {
			const values = person({
				level: 7,
				staff: true,
				since: SINCE,
				labels: ["a"],
				shouted: "Loud",
			});
			const settings = { settings: { dark: true } };
			const rows = [plain, direct].map((adapter) =>
				plain.create<Record<string, unknown>, { id: string }>({
					model: "user",
					data: { ...values, ...settings, email: `${adapter === plain}-${values.email}` },
				}),
			);
			const [first, second] = await Promise.all(rows);
			if (!first || !second) throw new Error("no rows");
			const expected = await work(plain, first);
			const actual = await work(direct, second);
			expect(anonymous(actual)).toEqual(anonymous(expected));
			return actual;
		}

		it("find a row", async () => {
			const found = await compare((adapter, { id }) =>
				adapter.findOne({ model: "user", where: [{ field: "id", value: id }] }),
			);
			expect(found).toMatchObject({ level: 7, staff: true, since: SINCE, shouted: "LOUD" });
			expect(found).toMatchObject({ labels: ["a"], settings: { dark: true }, plan: "free" });
		});

		it.each<[string, Where[]]>([
			["a text", [{ field: "name", value: "Ada" }]],
			["nothing", [{ field: "image", value: null }]],
			["a number", [{ field: "level", value: 7 }]],
			["a number as text", [{ field: "level", value: "7" }]],
			["true", [{ field: "staff", value: true }]],
			["a date", [{ field: "since", value: SINCE }]],
			["an earlier date", [{ field: "since", value: new Date(), operator: "lt" }]],
			["at most a number", [{ field: "level", value: 6, operator: "lte" }]],
			["not a text", [{ field: "plan", value: "free", operator: "ne" }]],
			["one of several", [{ field: "plan", value: ["free", "pro"], operator: "in" }]],
			["one of several numbers", [{ field: "level", value: [6, 7], operator: "in" }]],
			["a part of a text", [{ field: "name", value: "d", operator: "contains" }]],
			["a text in any case", [{ field: "name", value: "aDA", mode: "insensitive" }]],
			[
				"this or that",
				[
					{ field: "name", value: "Ada", connector: "OR" },
					{ field: "name", value: "Bob", connector: "OR" },
				],
			],
		])("find rows by %s", async (_, more) => {
			await compare((adapter, { id }) => {
				const where = [{ field: "id", value: id }, ...more];
				return adapter.findMany({ model: "user", where });
			});
		});

		it("sort, skip and limit", async () => {
			const name = `sorted-${made}`;
			for (const level of [3, 1, 2, null]) {
				await plain.create({ model: "user", data: person({ name, level }) });
			}
			const where = [{ field: "name", value: name }];
			for (const direction of ["asc", "desc"] as const) {
				const query = { model: "user", where, sortBy: { field: "level", direction } };
				for (const page of [{}, { limit: 2 }, { limit: 2, offset: 1 }]) {
					const rows = await direct.findMany<object>({ ...query, ...page });
					expect(rows).toEqual(await plain.findMany({ ...query, ...page }));
				}
			}
		});

		it("limit lists that name no limit", async () => {
			const rows = await direct.findMany({ model: "user" });
			expect(rows).toEqual(await plain.findMany({ model: "user" }));
		});

		it("select fields and join tables", async () => {
			await compare(async (adapter, { id }) => {
				const where = [{ field: "id", value: id }];
				const some = await adapter.findOne({ model: "user", where, select: ["name", "level"] });
				return [some, await adapter.findOne({ model: "user", where, join: { account: true } })];
			});
		});

		it("join the rows of one other table", async () => {
			await compare(async (adapter, { id }) => {
				const expiresAt = SINCE;
				const token = `token-${id}`;
				const now = { createdAt: SINCE, updatedAt: SINCE, tenantId: "" };
				const session = { userId: id, token, expiresAt, ...now };
				await plain.create({ model: "session", data: session });
				for (const number of [1, 2, 3]) {
					const accountId = `${id}-${number}`;
					const account = { userId: id, providerId: "github", accountId, ...now };
					await plain.create({ model: "account", data: { ...account, issuer: "" } });
				}
				const user = [{ field: "id", value: id }];
				type Joined = { account: { accountId: string }[] };
				const byId = (row: Joined | null) => ({
					...row,
					account: [...(row?.account ?? [])].sort((a, b) => (a.accountId < b.accountId ? -1 : 1)),
				});
				const findUser = (join: JoinOption) =>
					adapter.findOne<Joined>({ model: "user", where: user, join });
				const findSession = (token: string) =>
					adapter.findOne({
						model: "session",
						where: [{ field: "token", value: token }],
						join: { user: true },
					});
				const findAccounts = async (limit?: number, providerId = "github") =>
					adapter.findMany<{ accountId: string }>({
						model: "account",
						where: [
							{ field: "userId", value: id },
							{ field: "providerId", value: providerId },
						],
						...(limit === undefined ? {} : { limit }),
						join: { user: true },
					});
				const accounts = await findAccounts();
				const found = [
					accounts.sort((a, b) => (a.accountId < b.accountId ? -1 : 1)),
					(await findAccounts(2)).length,
					(await findAccounts(1)).length,
					await findAccounts(2, "nobody has it"),
					await adapter.findMany({ model: "user", where: user, join: { session: true } }),
					await findSession(token),
					await findSession("nobody has it"),
					byId(await findUser({ account: true })),
					(await findUser({ account: { limit: 2 } }))?.account.length,
					await findUser({ account: false }),
					byId(await findUser({ account: true, session: true })),
				];
				// Tokens have the id of their user.
				return JSON.parse(JSON.stringify(found).replaceAll(id, "the user"));
			});
		});

		it.each<[string, Record<string, unknown>]>([
			["with every kind of value", { level: 1, staff: false, since: SINCE, labels: ["x", "y"] }],
			["with a date as text", { since: SINCE.toISOString() }],
			["with an object and a transformed text", { settings: { a: [1] }, shouted: "Hello" }],
			["with nothing where there is a default", { plan: null, level: null, image: undefined }],
		])("create a row %s", async (_, values) => {
			const create = (adapter: DBAdapter) =>
				adapter.create<Record<string, unknown>>({ model: "user", data: person(values) });
			const [expected, actual] = [await create(plain), await create(direct)];
			expect(anonymous(actual)).toEqual(anonymous(expected));
			expect(typeof actual.id).toBe(typeof expected.id);
			const where = [{ field: "id", value: String(actual.id) }];
			expect(await plain.findOne({ model: "user", where })).toEqual(actual);
		});

		it("keep an id only if it is allowed", async () => {
			const generateId = ctx.options.advanced?.database?.generateId;
			const id = generateId === "serial" ? "900001" : "3b241101-e2bb-4255-8caf-4136c566a962";
			const data = person({ id });
			const row = await direct.create({ model: "user", data, forceAllowId: true });
			expect(row.id).toBe(id);
		});

		it("update a row, and change updatedAt", async () => {
			stopClock();
			const row = await compare((adapter, { id }) =>
				adapter.update<Record<string, unknown>>({
					model: "user",
					where: [{ field: "id", value: id }],
					update: { name: "Bob", staff: false, settings: { b: 2 }, since: null },
				}),
			);
			expect(row).toMatchObject({ name: "Bob", staff: false, settings: { b: 2 }, since: null });
			// It was made a second before, and some databases have no milliseconds.
			expect(Number(row?.updatedAt)).toBeGreaterThan(Date.now() - 1000);
		});

		it("count what they update and delete", async () => {
			const where = [{ field: "name", value: `counted-${made}` }];
			for (const level of [1, 2, 3]) {
				await plain.create({ model: "user", data: person({ name: where[0]?.value, level }) });
			}
			const most = [...where, { field: "level", value: 1, operator: "gt" as const }];
			const update = { level: 5 };
			expect(await direct.updateMany({ model: "user", where: most, update })).toBe(2);
			expect(await direct.update({ model: "user", where: [none], update })).toBeNull();
			expect(await direct.deleteMany({ model: "user", where: most })).toBe(2);
			expect(await direct.deleteMany({ model: "user", where: most })).toBe(0);
			await direct.delete({ model: "user", where });
			expect(await plain.count({ model: "user", where })).toBe(0);
		});

		const none = { field: "name", value: "nobody has this name" };

		it("keep all of a transaction, or nothing", async () => {
			const { email } = person();
			const where = [{ field: "email", value: email }];
			const create = (fails: boolean) =>
				direct.transaction(async (trx) => {
					await trx.create({ model: "user", data: person({ email }) });
					// Better Auth's adapter runs this one, in the same transaction.
					const query = [{ field: "email", value: email, operator: "contains" as const }];
					expect(await trx.findMany({ model: "user", where: query })).toHaveLength(1);
					expect(await trx.count({ model: "user", where })).toBe(1);
					if (fails) throw new Error("undone");
				});
			await expect(create(true)).rejects.toThrow("undone");
			expect(await plain.findOne({ model: "user", where })).toBeNull();
			await create(false);
			expect(await plain.findOne({ model: "user", where })).toMatchObject({ email });
		});

		it("are seen in traces as those of the adapter", async () => {
			const spans: string[] = [];
			trace.setGlobalTracerProvider({ getTracer: () => recordingTracer(spans) });
			const seen: string[][] = [];
			for (const adapter of [plain, direct]) {
				spans.length = 0;
				const { email } = await adapter.create({ model: "user", data: person() });
				const where = [{ field: "email", value: email }];
				await adapter.findOne({ model: "user", where });
				await adapter.findMany({ model: "user", where });
				await adapter.updateMany({ model: "user", where, update: { name: "Bob" } });
				await adapter.update({ model: "user", where, update: { name: "Bob" } });
				await adapter.delete({ model: "user", where });
				await adapter.deleteMany({ model: "user", where });
				seen.push([...spans]);
			}
			trace.disable();
			expect(seen[0]).toHaveLength(7);
			expect(seen[1]).toEqual(seen[0]);
		});

		it("take a value that is twice there for an error", async () => {
			const data = person();
			await direct.create({ model: "user", data });
			const errors = await Promise.all(
				[plain, direct].map((adapter) =>
					adapter.create({ model: "user", data }).then(
						() => null,
						(error: { code?: unknown }) => error.code,
					),
				),
			);
			expect(errors[0]).not.toBeNull();
			expect(errors[1]).toBe(errors[0]);
		});
	});
});

/** Records the names of spans. */
function recordingTracer(names: string[]): Tracer {
	const noop = new ProxyTracerProvider().getTracer("none");
	return {
		startSpan: (name: string) => noop.startSpan(name),
		startActiveSpan: (name: string, _: unknown, work: (span: Span) => never) => {
			names.push(name);
			return work(noop.startSpan(name));
		},
	} as unknown as Tracer;
}

/** Rows without what differs between any two of them. */
function anonymous(value: unknown): unknown {
	return JSON.parse(
		JSON.stringify(value, (key, it) =>
			["id", "email", "createdAt", "updatedAt"].includes(key) ? typeof it : it,
		) ?? "null",
	);
}

describe("direct statements", () => {
	it.each<[string, object]>([
		["another database", { type: "mssql" }],
		["a log of all queries", { debugLogs: true }],
	])("are not used with %s", async (_, settings) => {
		const { auth } = await makeInstance();
		const ctx = (await auth.$context) as unknown as AuthContext;
		const database = { ...Object(ctx.options.database), ...settings };
		const options = { ...ctx.options, database };
		const adapter = await getAdapter(options);
		const before = { ...adapter };
		runStatementsDirectly({ ...ctx, options, adapter });
		expect(adapter).toEqual(before);
	});
});
