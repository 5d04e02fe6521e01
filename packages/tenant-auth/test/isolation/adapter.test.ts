import { describe, expect, it } from "vitest";
import { notEmpty, possiblyEmpty } from "../../../../testing/not-empty";
import { type Access, accesses, hostile } from "../support/worlds/hostile-plugin";
import {
	type Answer,
	CREDENTIALS,
	EMAIL,
	type InstanceOptions,
	makeInstance,
} from "../support/worlds/instance";
import { describeVariations } from "../support/worlds/variations";
import { useWorld } from "../support/worlds/world";

/** Better Auth 1.7.3 puts joined rows under the key of their model, not under the name in the query. */
const joined = (row: Answer["body"], name: string, key: string) => row[name] ?? row[key];

interface Naming {
	options: InstanceOptions;
	/** The names of the models that the plugin uses, and of their tables. */
	user: string;
	session: string;
	userTable: string;
	tenantColumn: string;
}

const plain: Naming = {
	options: {},
	user: "user",
	session: "session",
	userTable: "user",
	tenantColumn: "tenantId",
};

const namings: [string, Naming][] = [
	["with the names of Better Auth", plain],
	[
		"that the app renamed, by their new names",
		{
			...plain,
			options: { user: { modelName: "people" }, session: { modelName: "visit" } },
			user: "people",
			session: "visit",
			userTable: "people",
		},
	],
	[
		"that the app renamed, by their old names",
		{
			...plain,
			options: {
				user: { modelName: "people" },
				session: { modelName: "visit" },
				tenants: { schema: { user: { fields: { tenantId: "tenant_id" } } } },
			},
			userTable: "people",
			tenantColumn: "tenant_id",
		},
	],
	[
		"with plural names",
		{
			...plain,
			options: { usePlural: true },
			user: "users",
			session: "sessions",
			userTable: "users",
		},
	],
	[
		"with joins by the database",
		{ ...plain, options: { advanced: { database: { joins: true } } } },
	],
	["without transactions", { ...plain, options: { transactions: false } }],
];

describeVariations("a plugin that queries tables %s", namings, (naming, it) => {
	const { user, session, userTable, tenantColumn } = naming;

	const world = useWorld(async () => {
		const instance = await makeInstance({
			...naming.options,
			user: {
				...naming.options.user,
				additionalFields: { visits: { type: "number", defaultValue: 0, input: false } },
			},
			plugins: [hostile()],
		});
		const [own, other] = [await instance.makeTenant(), await instance.makeTenant()];
		const mine = await instance.signUp(own);
		const theirs = await instance.signUp(other);
		const ask = (access: Access, method: string, query: object) =>
			instance.call("/hostile/query", { body: { access, method, query }, tenant: own });
		const foreignRow = () =>
			instance.db
				.selectFrom(userTable)
				.selectAll()
				.where("id", "=", theirs.body.user.id)
				.executeTakeFirst();
		return {
			...instance,
			own,
			other,
			ask,
			foreignRow,
			mine: mine.body.user.id as string,
			theirs: theirs.body.user.id as string,
		};
	});

	/** Conditions that match the user of the other tenant. */
	const conditionsFor = (theirs: string, other: string) => [
		[{ field: "id", value: theirs }],
		[{ field: "tenantId", value: other }],
		[{ field: "id", operator: "ne", value: "" }],
		[{ field: "id", operator: "in", value: [theirs] }],
		[
			{ field: "id", value: theirs, connector: "OR" },
			{ field: "tenantId", value: other, connector: "OR" },
		],
		[
			{ field: "email", value: EMAIL },
			{ field: "tenantId", value: other, connector: "OR" },
			{ field: "tenantId", operator: "ne", value: other, connector: "OR" },
		],
		[
			{ field: "tenantId", operator: "ne", value: "", connector: "OR" },
			{ field: "tenantId", value: other, connector: "OR" },
		],
		[],
	];

	it.each(accesses)("reads no row of another tenant through %s", async (access) => {
		const { ask, theirs, other, own } = world();
		for (const where of notEmpty(conditionsFor(theirs, other))) {
			const one = await ask(access, "findOne", { model: user, where });
			if (one.body.code === "CROSS_TENANT_QUERY") continue;
			expect(one.body.result?.tenantId ?? own).toBe(own);
			const many = await ask(access, "findMany", { model: user, where });
			expect(many.body.result.length).toBeLessThanOrEqual(1);
			for (const { id } of possiblyEmpty(many.body.result)) expect(id).not.toBe(theirs);
			const count = await ask(access, "count", { model: user, where });
			expect(count.body.result).toBe(many.body.result.length);
		}
		const all = await ask(access, "findMany", { model: user });
		expect(all.body.result).toHaveLength(1);
		expect((await ask(access, "count", { model: user })).body.result).toBe(1);
	});

	it.each(accesses)("changes and deletes no row of another tenant through %s", async (access) => {
		const { ask, theirs, other, foreignRow } = world();
		const before = await foreignRow();
		for (const where of notEmpty(conditionsFor(theirs, other))) {
			const update = { name: "Taken over" };
			const calls: [string, object][] = [
				["update", { update }],
				["updateMany", { update }],
				["incrementOne", { increment: { visits: 1 } }],
				["consumeOne", {}],
				["delete", {}],
				["deleteMany", {}],
			];
			for (const [method, rest] of notEmpty(calls)) {
				await ask(access, method, { model: user, where, ...rest });
				expect(await foreignRow(), method).toEqual(before);
			}
		}
	});

	it.each(accesses)(
		"reads, changes and deletes rows of its own tenant through %s",
		async (access) => {
			const { ask, mine, own } = world();
			const where = [{ field: "id", value: mine }];
			expect((await ask(access, "findOne", { model: user, where })).body.result).toMatchObject({
				id: mine,
				tenantId: own,
			});
			const update = { name: "Renamed" };
			const updated = await ask(access, "update", { model: user, where, update });
			expect(updated.body.result.name).toBe("Renamed");
			expect((await ask(access, "updateMany", { model: user, where, update })).body.result).toBe(1);
			const counted = await ask(access, "incrementOne", {
				model: user,
				where,
				increment: { visits: 2 },
			});
			expect(counted.body.result.visits).toBe(2);
			const consumed = await ask(access, "consumeOne", { model: user, where });
			expect(consumed.body.result.id).toBe(mine);
			expect((await ask(access, "count", { model: user })).body.result).toBe(0);
		},
	);

	it.each(accesses)("cannot set a tenantId through %s", async (access) => {
		const { ask, mine, own, other, db } = world();
		const tenants = async () => {
			const rows = await db.selectFrom(userTable).select(tenantColumn).execute();
			return rows.map((row) => row[tenantColumn]).sort();
		};
		const data = { name: "New", email: "new@example.com", emailVerified: false, tenantId: other };
		const created = await ask(access, "create", { model: user, data });
		expect(created.body.result.tenantId).toBe(own);
		expect(await tenants()).toEqual([own, own, other].sort());
		const where = [{ field: "id", value: mine }];
		for (const tenantId of [other, "", null]) {
			const update = { name: "Renamed", tenantId, [tenantColumn]: tenantId };
			await ask(access, "update", { model: user, where, update });
			await ask(access, "updateMany", { model: user, where, update });
			await ask(access, "update", { model: user, where, update: { tenantId } });
			const increment = { visits: 1 };
			await ask(access, "incrementOne", { model: user, where, increment, set: { tenantId } });
		}
		await ask(access, "incrementOne", {
			model: user,
			where,
			increment: { visits: 1, tenantId: 1 },
		});
		expect(await tenants()).toEqual([own, own, other].sort());
	});

	it.each(accesses)("reads no row of another tenant by a join through %s", async (access) => {
		const { ask, mine, theirs } = world();
		for (const userId of [theirs, mine]) {
			await ask(access, "create", { model: "note", data: { text: "note", userId } });
		}
		const notes = await ask(access, "findMany", { model: "note", join: { [user]: true } });
		expect(notes.body.result).toHaveLength(2);
		for (const note of notEmpty(notes.body.result)) {
			if (note.userId === theirs) expect(JSON.stringify(note)).not.toContain("@example.com");
			else expect(joined(note, user, "user").id).toBe(mine);
		}
		const users = await ask(access, "findMany", { model: user, join: { [session]: true } });
		expect(users.body.result).toHaveLength(1);
		expect(joined(users.body.result[0], session, "session")).toHaveLength(1);
		const one = await ask(access, "findOne", {
			model: "note",
			where: [{ field: "userId", value: theirs }],
			join: { [user]: true },
		});
		expect(JSON.stringify(one.body.result)).not.toContain("@example.com");
	});

	it("reads only rows of the platform if the request names no tenant", async () => {
		const { call } = world();
		const query = { model: user };
		const body = { access: "the adapter", method: "findMany", query };
		expect((await call("/hostile/query", { body })).body.result).toEqual([]);
		await call("/sign-up/email", {
			body: { name: "Ada", ...CREDENTIALS },
		});
		const { body: seen } = await call("/hostile/query", { body });
		expect(seen.result).toEqual([expect.objectContaining({ tenantId: null })]);
	});

	it("cannot use a session that it created for a user of another tenant", async () => {
		const { call, own, theirs, db } = world();
		const made = await call("/hostile/session", { body: { userId: theirs }, tenant: own });
		const { token } = made.body;
		const signed = await signedCookie(token);
		for (const tenant of [undefined, own]) {
			const read = await call("/get-session", { cookie: signed, ...(tenant ? { tenant } : {}) });
			expect(read.body).toBeNull();
		}
		expect(await db.selectFrom(userTable).selectAll().execute()).toHaveLength(2);
	});
});

/** A session cookie, signed with the secret of the instance. */
async function signedCookie(token: string): Promise<string> {
	const secret = new TextEncoder().encode("a secret of thirty-two characters or more");
	const algorithm = { name: "HMAC", hash: "SHA-256" };
	const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"]);
	const signature = await crypto.subtle.sign(algorithm.name, key, new TextEncoder().encode(token));
	const value = `${token}.${Buffer.from(signature).toString("base64")}`;
	return `better-auth.session_token=${encodeURIComponent(value)}`;
}

it("an update changes one session if its condition matches two tokens", async () => {
	const { call, makeTenant, signUp } = await makeInstance({ plugins: [hostile()] });
	const tenant = await makeTenant();
	const [ada, bob] = [await signUp(tenant), await signUp(tenant, "bob@example.com")];
	const ask = async (method: string, query: object) => {
		const body = { access: "the adapter", method, query: { model: "session", ...query } };
		return (await call("/hostile/query", { body, tenant })).body.result;
	};
	const where = [{ field: "token", operator: "in", value: [ada.body.token, bob.body.token] }];
	expect(await ask("update", { where, update: { userAgent: "changed" } })).not.toBeNull();
	expect(await ask("count", { where: [{ field: "userAgent", value: "changed" }] })).toBe(1);
});

describe("a transaction on one SQLite connection", () => {
	it("does not wait for itself if a hook queries the database", async () => {
		const seen: unknown[] = [];
		const { makeTenant, signUp } = await makeInstance({
			plugins: [hostile()],
			databaseHooks: {
				user: {
					create: {
						before: async (_, ctx) => {
							seen.push(await ctx?.context.internalAdapter.findUserByEmail("nobody@example.com"));
						},
					},
				},
			},
		});
		const tenantId = await makeTenant();
		const { status } = await signUp(tenantId);
		expect([status, seen]).toEqual([200, [null]]);
	});

	it("does not wait for itself if many users sign up at the same time", async () => {
		const { makeTenant, signUp } = await makeInstance();
		const tenants = [await makeTenant(), await makeTenant()];
		const answers = await Promise.all(
			Array.from({ length: 30 }, (_, n) => signUp(String(tenants[n % 2]), `user${n}@example.com`)),
		);
		for (const { status } of notEmpty(answers)) expect(status).toBe(200);
	});
});
