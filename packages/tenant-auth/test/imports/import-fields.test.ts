import {
	checkImportedUsers,
	type ImportedUser,
	type ImportResult,
	importUsers,
} from "better-auth-tenant/imports";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { notEmpty } from "../../../../testing/not-empty";
import type { OpenDatabase } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { type Instance, makeInstance } from "../support/worlds/instance";

const additionalFields = {
	company: { type: "string", required: true, validator: { input: z.string().min(2) } },
	level: { type: "number", required: false },
	isVip: { type: "boolean", required: false },
	since: { type: "date", required: false },
	plan: { type: ["free", "pro"], required: false, defaultValue: "free" },
	badge: { type: "string", required: false, unique: true },
	score: { type: "number", required: false, input: false },
} as const;

describe.each(eachDatabase)("additional fields of imported users on %s", (_, open) => {
	let on: OpenDatabase;
	let app: Instance;

	beforeAll(async () => {
		on = await open();
		app = await makeInstance({ on, user: { additionalFields: { ...additionalFields } as never } });
	});
	afterAll(() => on.close());

	async function run(tenantId: string, ...lines: object[]) {
		const users = lines as ImportedUser[];
		const results: ImportResult[] = [];
		for await (const it of importUsers(app.auth, { tenantId, lines: users })) results.push(it);
		return results;
	}

	const userOf = async (tenantId: string, userId: string | null | undefined) =>
		(await app.manage("/tenant/user/get", { query: { tenantId, userId: String(userId) } })).body
			.user;

	const line = (externalId: string, fields?: object) => ({
		externalId,
		email: `${externalId}@example.com`,
		...(fields ? { fields } : {}),
	});

	it("are stored, with their types and defaults, and updated", async () => {
		const tenantId = await app.makeTenant();
		const since = "2024-02-29T12:00:00.000Z";
		const fields = { company: "Acme", level: "3", isVip: "true", since, badge: "a1" };
		const [created] = await run(tenantId, line("ada", fields));
		expect(created).toMatchObject({ status: "created", message: null });
		expect(await userOf(tenantId, created?.userId)).toMatchObject({
			company: "Acme",
			level: 3,
			isVip: true,
			since,
			plan: "free",
			badge: "a1",
		});
		expect(await run(tenantId, line("ada", fields))).toMatchObject([{ status: "unchanged" }]);
		expect(await run(tenantId, line("ada"))).toMatchObject([{ status: "unchanged" }]);
		const changed = { level: null, badge: "a2", plan: "pro" };
		expect(await run(tenantId, line("ada", changed))).toMatchObject([{ status: "updated" }]);
		const after = { company: "Acme", level: null, badge: "a2", plan: "pro" };
		expect(await userOf(tenantId, created?.userId)).toMatchObject(after);
		// A unique value is one of this tenant.
		const other = await app.makeTenant();
		const [twin] = await run(other, line("ada", { company: "Globex", badge: "a2" }));
		expect(twin).toMatchObject({ status: "created" });
		expect(await userOf(other, twin?.userId)).toMatchObject({ company: "Globex", badge: "a2" });
	});

	it("fail one line, and not the others", async () => {
		const tenantId = await app.makeTenant();
		const wrong: [object | undefined, string][] = [
			[undefined, "[fields.company] is required for a new user"],
			[{ company: null }, "[fields.company] is not of the type string"],
			[{ company: "A" }, "[fields.company] Too small"],
			[{ company: ["Acme"] }, "[fields.company] is not of the type string"],
			[{ company: "Acme", level: "high" }, "[fields.level] is not of the type number"],
			[{ company: "Acme", plan: "gold" }, "[fields.plan] is not of the type free,pro"],
			[{ company: "Acme", score: 1 }, "[fields.score] has input: false"],
			[{ company: "Acme", tenantId: "x" }, "[fields.tenantId] user.additionalFields has no such"],
			[{ company: "Acme", constructor: 1 }, "[fields.constructor] user.additionalFields has no"],
		];
		const lines = notEmpty(wrong).map(([fields], at) => line(`user-${at}`, fields));
		const results = await run(tenantId, line("first", { company: "Acme" }), ...lines);
		expect(results.map(({ status }) => status)).toEqual(["created", ...wrong.map(() => "failed")]);
		for (const [at, [, message]] of notEmpty([...wrong.entries()])) {
			expect(results[at + 1]?.message).toContain(message);
		}
		const checked: (string | null)[] = [];
		for await (const { message } of checkImportedUsers(app.auth, lines as ImportedUser[])) {
			checked.push(message);
		}
		expect(checked).toEqual(results.slice(1).map(({ message }) => message));
	});
});
