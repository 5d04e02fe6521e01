import { fastStatements } from "better-auth-fast";
import { runAcrossTenants, runInTenant } from "better-auth-tenant";
import { CamelCasePlugin } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../tenant-auth/test/support/databases/databases";
import { eachDatabase } from "../../../tenant-auth/test/support/databases/each-database";
import {
	EMAIL,
	type Instance,
	type InstanceOptions,
	makeInstance,
	PASSWORD,
} from "../../../tenant-auth/test/support/worlds/instance";

/** Fields of every type that Better Auth has, some of them hidden or transformed. */
const additionalFields = {
	level: { type: "number", required: false, input: true },
	staff: { type: "boolean", required: false, input: true },
	since: { type: "date", required: false, input: true },
	labels: { type: "string[]", required: false, input: true },
	settings: { type: "json", required: false, input: true },
	hidden: { type: "string", required: false, defaultValue: "secret", returned: false },
	shouted: {
		type: "string",
		required: false,
		defaultValue: "loud",
		transform: { output: (value: unknown) => String(value).toUpperCase() },
	},
} satisfies NonNullable<InstanceOptions["user"]>["additionalFields"];

const values = { level: 7, staff: true, labels: ["a", "b"], settings: { dark: true } };

const variations: [string, InstanceOptions][] = [
	["as they are", {}],
	[
		"with other names",
		{
			user: { modelName: "person", fields: { emailVerified: "is_verified", createdAt: "made_at" } },
			session: { modelName: "visit", fields: { userId: "person_id", expiresAt: "ends_at" } },
			account: { modelName: "login", fields: { userId: "person_id" } },
			tenants: { schema: { tenant: { modelName: "customer", fields: { slug: "handle" } } } },
		},
	],
	["with counted ids", { advanced: { database: { generateId: "serial" } } }],
	["with UUIDs", { advanced: { database: { generateId: "uuid" } } }],
];

/** Joins that are one statement must read the same as Better Auth's adapter. */
describe.each(eachDatabase)("joined reads on %s", (_, open) => {
	describe.each(variations)("tables %s", (_, { user, session, ...options }) => {
		let on: OpenDatabase;
		let app: Instance;
		let tenantId: string;
		let token: string;

		beforeAll(async () => {
			on = await open();
			const { db, type } = on;
			app = await makeInstance({
				...options,
				user: { ...user, additionalFields },
				session: { ...session, additionalFields: { theme: { type: "string", required: false } } },
				on: { db, type },
				plugins: [fastStatements()],
				pluginsFirst: true,
			});
			tenantId = await app.makeTenant();
			const body = { tenantId, name: "User", email: EMAIL, password: PASSWORD, ...values };
			const since = new Date(1_700_000_000_000).toISOString();
			const answer = await app.call("/tenant/sign-up/email", { body: { ...body, since } });
			token = answer.body.token;
		});

		afterAll(() => on.close());

		it("give a session and its user as the adapter does", async () => {
			const { adapter, internalAdapter } = await app.auth.$context;
			const where = [{ field: "token", value: token }];
			const [expected, found] = await Promise.all([
				runAcrossTenants(() =>
					adapter.findOne<{ user: { hidden?: unknown } }>({
						model: "session",
						where,
						join: { user: true },
					}),
				),
				runInTenant(app.auth, tenantId, () => internalAdapter.findSession(token)),
			]);
			if (!expected || !found) throw new Error("There is no session");
			const { user, ...session } = expected;
			const { hidden, ...visible } = user;
			expect(hidden).toBe("secret");
			expect(found).toEqual({ session, user: visible });
			expect(found.user).toMatchObject({ ...values, shouted: "LOUD" });
		});

		it("give a user and the user's accounts as the adapter does", async () => {
			const { adapter, internalAdapter } = await app.auth.$context;
			const where = [{ field: "email", value: EMAIL }];
			await runInTenant(app.auth, tenantId, async () => {
				const expected = await adapter.findOne<{ account: unknown[] }>({
					model: "user",
					where,
					join: { account: true },
				});
				const { account, ...user } = expected ?? { account: [] };
				expect(account).toHaveLength(1);
				expect(await internalAdapter.findUserByEmail(EMAIL, { includeAccounts: true })).toEqual({
					user,
					accounts: account,
				});
				expect(await internalAdapter.findUserByEmail(EMAIL.toUpperCase())).toEqual({
					user,
					accounts: [],
				});
			});
		});

		it("find nothing of another tenant", async () => {
			const { internalAdapter } = await app.auth.$context;
			const other = await app.makeTenant();
			await runInTenant(app.auth, other, async () => {
				expect(await internalAdapter.findUserByEmail(EMAIL)).toBeNull();
				expect(await internalAdapter.findSession(token)).toBeNull();
			});
		});

		it("find nothing by a text that only looks the same", async () => {
			const { internalAdapter } = await app.auth.$context;
			await runInTenant(app.auth, tenantId, async () => {
				expect(await internalAdapter.findUserByEmail(EMAIL.replace("a", "á"))).toBeNull();
				expect(await internalAdapter.findSession(`${token} `)).toBeNull();
				expect(await internalAdapter.findSession(token.toLowerCase())).toBeNull();
			});
		});
	});

	it("work with a plugin of Kysely that renames columns", async () => {
		const on = await open();
		const { type } = on;
		try {
			const db = on.db.withPlugin(new CamelCasePlugin());
			const app = await makeInstance({
				on: { db, type },
				plugins: [fastStatements()],
				pluginsFirst: true,
			});
			const tenantId = await app.makeTenant();
			const { cookie } = await app.signUp(tenantId);
			const { body } = await app.call("/get-session", { cookie });
			expect(body.user).toMatchObject({ email: EMAIL, tenantId, emailVerified: false });
			expect((await app.signIn(tenantId)).status).toBe(200);
		} finally {
			await on.close();
		}
	});
});
