import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from "better-auth";
import { runInTenant, type TenantAuthOptions, tenantAuth } from "better-auth-tenant";
import { planUpgrade, toSqlScript, type UpgradePlan } from "better-auth-tenant/upgrade";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { untilHang } from "../../../../testing/time-limits";
import type { OpenDatabase } from "./databases";
import { type HostDatabase, type Instance, makeInstance } from "./instance";
import { keepLog } from "./kept-log";
import { makeMemoryStorage } from "./memory-storage";
import { makePlainHost, type PlainHost, runSql, schemaOf, spelling, sqlOf } from "./plain-host";

export const withTenants = (on: HostDatabase, options: BetterAuthOptions = {}) =>
	({
		secret: "a secret of thirty-two characters or more",
		logger: { disabled: true },
		...options,
		database: on.pool ?? { db: sqlOf(on), type: on.type, transaction: true },
		plugins: options.plugins ?? [tenantAuth()],
	}) satisfies BetterAuthOptions;

export async function upgrade(on: HostDatabase, options: BetterAuthOptions = {}) {
	await (await planUpgrade(withTenants(on, options))).run();
}

export function describeUpgrade(open: () => Promise<OpenDatabase>) {
	describe("of a database with users", () => {
		let on: OpenDatabase;
		let plain: PlainHost;
		let instance: Instance;
		let ada: { userId: string; cookie: string };
		let resetToken: string;
		let plans: Record<"first" | "second", UpgradePlan>;
		let schemas: Record<"before" | "planned" | "after" | "again", unknown>;
		let logs: Record<"before" | "after", string[]>;

		beforeAll(async () => {
			on = await open();
			plain = await makePlainHost(on);
			ada = await plain.signUp("ada@example.com", "the old password");
			await plain.linkSocial(ada.userId, "google", "1234");
			resetToken = await plain.requestReset("ada@example.com");
			const before = await schemaOf(on);
			const unready = keepLog();
			await betterAuth({ ...withTenants(on), logger: unready.logger }).$context;
			await vi.waitUntil(() => unready.lines.join().includes("unique across"), untilHang);

			const first = await planUpgrade(withTenants(on));
			const planned = await schemaOf(on);
			await first.run();
			const after = await schemaOf(on);
			const second = await planUpgrade(withTenants(on));
			await second.run();

			schemas = { before, planned, after, again: await schemaOf(on) };
			plans = { first, second };
			const ready = keepLog();
			instance = await makeInstance({ on, logger: ready.logger });
			await (await instance.auth.$context).checkSchema?.();
			logs = { before: unready.lines, after: ready.lines };
		});
		afterAll(() => on.close());

		it("makes them users of the platform, and their sessions stay valid", async () => {
			const { body } = await instance.call("/get-session", { cookie: ada.cookie });
			expect(body.user).toMatchObject({ id: ada.userId, tenantId: null });
			expect(body.session.tenantId).toBe(null);
		});

		it("keeps passwords and links that were sent by email before", async () => {
			const signIn = async (password: string) =>
				instance.call("/sign-in/email", { body: { email: "ada@example.com", password } });
			expect((await signIn("the old password")).body.user.id).toBe(ada.userId);
			const body = { token: resetToken, newPassword: "the new password" };
			expect((await instance.call("/reset-password", { body })).status).toBe(200);
			expect((await signIn("the new password")).body.user.id).toBe(ada.userId);
		});

		it("keeps social accounts, and the database rejects a second row of one", async () => {
			const { adapter, internalAdapter } = await instance.auth.$context;
			const row = { userId: ada.userId, providerId: "google", accountId: "1234" };
			const where = [{ field: "accountId", value: "1234" }];
			expect(await adapter.findMany({ model: "account", where })).toMatchObject([row]);
			await expect(internalAdapter.createAccount(row)).rejects.toThrow();
		});

		it("lets the same email sign up in a tenant, once", async () => {
			const tenantId = await instance.makeTenant();
			const { body } = await instance.signUp(tenantId, "ada@example.com");
			expect(body.user).toMatchObject({ email: "ada@example.com", tenantId });
			expect(body.user.id).not.toBe(ada.userId);
			expect((await instance.signUp(tenantId, "ada@example.com")).status).toBe(422);
			const again = { name: "User", email: "ada@example.com", password: "correct horse battery" };
			expect((await instance.call("/sign-up/email", { body: again })).status).toBe(422);
		});

		it("lets processes of the old code continue, and their users belong to the platform", async () => {
			const bob = await plain.signUp("bob@example.com");
			const { body } = await instance.call("/get-session", { cookie: bob.cookie });
			expect(body.user).toMatchObject({ id: bob.userId, tenantId: null });
		});

		it("changes nothing while it is only planned", () => {
			expect(plans.first).toMatchObject({ database: on.type, blockers: [], notes: [] });
			expect(plans.first.statements.length).toBeGreaterThan(5);
			expect(schemas.planned).toEqual(schemas.before);
			expect(schemas.after).not.toEqual(schemas.before);
		});

		it("does nothing the second time", () => {
			expect(plans.second).toMatchObject({ statements: [], blockers: [], notes: [] });
			expect(schemas.again).toEqual(schemas.after);
		});

		it("is recommended in the log at each start until it ran", () => {
			expect(logs.before.join()).toMatch(/an email unique across.*npx better-auth-tenant up/);
			expect(logs.after.join()).not.toContain("unique across");
		});
	});

	describe("of renamed tables, after a migration that did not finish", () => {
		const names = {
			user: { modelName: "people" },
			account: { modelName: "logins", fields: { accountId: "account_id" } },
			session: { modelName: "visits" },
		};
		let on: OpenDatabase;
		let instance: Instance;
		let cookie: string;

		beforeAll(async () => {
			on = await open();
			const plain = await makePlainHost(on, names);
			({ cookie } = await plain.signUp("ada@example.com"));
			const { quote, text, short, part } = spelling(on);
			for (const table of ["people", "visits", "logins", "verification"]) {
				const column = `${quote("tenantId")} ${text} not null default ''`;
				await runSql(on, `alter table ${table} add column ${column}`);
			}
			const row = ["model", "rowId", "tenantId"].map((name) => `${quote(name)} ${short} not null`);
			await runSql(
				on,
				`create table ${quote("tenantRow")} (id ${short} primary key, ${row.join()})`,
			);
			const columns = `${quote("providerId")}${part}, account_id${part}`;
			await runSql(on, `create unique index one_login on logins (${columns})`);
			const { statements } = await planUpgrade(withTenants(on, names));
			// They include begin and commit, so they need one connection.
			await sqlOf(on)
				.connection()
				.execute(async (db) => {
					for (const { sql } of statements) await runSql({ ...on, db }, sql);
				});
			instance = await makeInstance({ on, ...names });
		});
		afterAll(() => on.close());

		it("consists of exactly the statements that it prints", async () => {
			expect(await planUpgrade(withTenants(on, names))).toMatchObject({ statements: [] });
			const { body } = await instance.call("/get-session", { cookie });
			expect(body.user.email).toBe("ada@example.com");
			const inTenant = await instance.signUp(await instance.makeTenant(), "ada@example.com");
			expect(inTenant.status).toBe(200);
		});

		it("creates the indexes that would have come with their columns", async () => {
			expect(JSON.stringify(await schemaOf(on))).toContain("tenantRow_tenantId_model_idx");
		});

		it("drops an index of the app that keeps a social account unique across tenants", async () => {
			expect(JSON.stringify(await schemaOf(on))).not.toContain("one_login");
		});
	});

	describe("with rows and tables that block it", () => {
		let on: OpenDatabase;
		let plan: UpgradePlan;

		beforeAll(async () => {
			on = await open();
			const plain = await makePlainHost(on);
			for (const email of ["ada@example.com", "bob@example.com"]) {
				const { userId } = await plain.signUp(email);
				await plain.linkSocial(userId, "google", "1234");
			}
			const { quote, text } = spelling(on);
			const key = `foreign key (email) references ${quote("user")} (email)`;
			await runSql(on, `create table newsletter (email ${text} not null, ${key})`);
			plan = await planUpgrade(withTenants(on));
		});
		afterAll(() => on.close());

		it("is blocked while two rows are the same social account", () => {
			expect(plan.blockers.join()).toMatch(
				/created: 1 value is in several rows of account.*select/,
			);
		});

		it("is blocked while another table refers to a user by email", () => {
			expect(plan.blockers.join()).toContain("newsletter has a foreign key to user.email");
		});

		it("changes nothing", async () => {
			const before = await schemaOf(on);
			await expect(plan.run()).rejects.toThrow("several rows of account");
			expect(await schemaOf(on)).toEqual(before);
		});
	});

	describe("of an empty database", () => {
		let on: OpenDatabase;
		beforeAll(async () => {
			on = await open();
			await upgrade(on);
		});
		afterAll(() => on.close());

		it("creates all tables as Better Auth's own migration does", async () => {
			const { makeTenant, signUp } = await makeInstance({ on });
			expect((await signUp(await makeTenant(), "ada@example.com")).status).toBe(200);
			expect(await planUpgrade(withTenants(on))).toMatchObject({ statements: [], blockers: [] });
		});
	});
}

/** The plugin without the fields that earlier versions had. */
export function pluginWithoutRemovedFields(options: TenantAuthOptions = {}): BetterAuthPlugin {
	const plugin: BetterAuthPlugin = tenantAuth(options);
	const schema = Object.entries(plugin.schema ?? {}).map(([model, table]) => {
		const { tenantSuspended: _, ...fields } = table.fields;
		return [model, { ...table, fields }] as const;
	});
	return { ...plugin, schema: Object.fromEntries(schema) };
}

const TENANTS = 205;
const tenantIds = Array.from({ length: TENANTS }, (_, at) => `tenant's ${at}`);
const entryOf = (tenantId: string) => `tenant-suspended-${tenantId}`;

/** What earlier versions stored about the suspension of a tenant in several places. */
export function describeRemovedFields(open: () => Promise<OpenDatabase>) {
	const renamed = {
		user: { modelName: "people" },
		plugins: [
			pluginWithoutRemovedFields({
				schema: {
					tenant: { modelName: "customers" },
					tenantOauthConfig: { modelName: "clients" },
					// The current schema does not know this field any more.
					user: { fields: { ["tenantSuspended" as string]: "frozen" } },
				},
			}),
		],
	};
	const usual = { plugins: [pluginWithoutRemovedFields()] };
	const usualNames = { user: "user", config: "tenantOauthConfig", tenant: "tenant" };
	const renamedNames = { user: "people", config: "clients", tenant: "customers" };

	describe.each([
		["", usual, usualNames, "tenantSuspended"],
		[" with renamed tables and columns", renamed, renamedNames, "frozen"],
	])("of a database of an earlier version%s", (_, options, names, column) => {
		let on: OpenDatabase;
		let storage: ReturnType<typeof makeMemoryStorage>;
		const plan = () => planUpgrade(withTenants(on, { ...options, secondaryStorage: storage }));
		const quote = (name: string) => spelling(on).quote(name);
		const drops = (upgradePlan: UpgradePlan) =>
			upgradePlan.statements.filter(({ sql }) => sql.includes("drop column"));
		const entries = async () => {
			const values = await Promise.all(tenantIds.map((id) => storage.get(entryOf(id))));
			return values.filter((value) => value !== null).length;
		};

		beforeAll(async () => {
			on = await open();
			storage = makeMemoryStorage();
			await upgrade(on, { ...options, secondaryStorage: storage });
			for (const [table, name] of [
				[names.user, column],
				[names.config, "tenantSuspended"],
			] as const) {
				await runSql(on, `alter table ${quote(table)} add column ${quote(name)} boolean`);
			}
			const date = on.type === "sqlite" ? "0" : "'2026-01-01 00:00:00'";
			const columns = ["id", "name", "slug", "createdAt", "updatedAt", "suspendedAt"].map(quote);
			const rows = tenantIds.map((id, at) => {
				const text = `'${id.replaceAll("'", "''")}'`;
				return `(${text}, ${text}, 'slug-${at}', ${date}, ${date}, ${at === 7 ? date : "null"})`;
			});
			await runSql(
				on,
				`insert into ${quote(names.tenant)} (${columns.join()}) values ${rows.join()}`,
			);
			for (const id of tenantIds) await storage.set(entryOf(id), "null");
			await storage.set("a-session-token", "a session");
		});
		afterAll(() => on.close());

		it("shows what it would remove and changes nothing", async () => {
			const before = await schemaOf(on);
			const planned = await plan();
			expect(drops(planned)).toHaveLength(2);
			expect(planned.storageEntries).toBe(TENANTS);
			expect(toSqlScript(planned)).toContain(`deletes up to ${TENANTS} storage entries`);
			expect(await entries()).toBe(TENANTS);
			expect(await schemaOf(on)).toEqual(before);
		});

		it("keeps the columns if the storage entries cannot be deleted", async () => {
			const broken = {
				...storage,
				delete: () => Promise.reject(new Error("the storage is away")),
			};
			const failing = await planUpgrade(withTenants(on, { ...options, secondaryStorage: broken }));
			await expect(failing.run()).rejects.toThrow("the storage is away");
			expect(drops(await plan())).toHaveLength(2);
		});

		it("removes it, keeps suspensions and other entries, and finds nothing the second time", async () => {
			await (await plan()).run();
			expect(JSON.stringify(await schemaOf(on))).not.toMatch(/tenantSuspended|frozen/);
			expect(await entries()).toBe(0);
			expect(await storage.get("a-session-token")).toBe("a session");
			const suspended = `select id from ${quote(names.tenant)} where ${quote("suspendedAt")} is not null`;
			expect(await runSql(on, suspended)).toEqual([{ id: "tenant's 7" }]);
			expect(await plan()).toMatchObject({ statements: [], storageEntries: 0, blockers: [] });
		});
	});

	it("keeps a column that the schema declares", async () => {
		const on = await open();
		await upgrade(on, usual);
		const { quote } = spelling(on);
		for (const table of ["user", "tenantOauthConfig"]) {
			const column = `${quote("tenantSuspended")} boolean`;
			await runSql(on, `alter table ${quote(table)} add column ${column}`);
		}
		const ofTheApp = { type: "boolean", required: false } as const;
		const user = { additionalFields: { tenantSuspended: ofTheApp } };
		const { statements } = await planUpgrade(withTenants(on, { ...usual, user }));
		const dropped = statements.map(({ sql }) => sql).filter((sql) => sql.includes("drop column"));
		expect(dropped).toEqual([expect.stringContaining("tenantOauthConfig")]);
		await on.close();
	});

	it("keeps a column of the app that has the name of a removed one", async () => {
		const on = await open();
		await makePlainHost(on);
		const { quote } = spelling(on);
		const [table, column] = [quote("user"), quote("tenantSuspended")];
		await runSql(on, `alter table ${table} add column ${column} boolean`);
		await upgrade(on, usual);
		expect(await runSql(on, `select ${column} from ${table}`)).toEqual([]);
		expect(await planUpgrade(withTenants(on, usual))).toMatchObject({ statements: [] });
		await on.close();
	});
}

/** Not on MySQL, where Better Auth's own migration refuses an existing database. */
export function describeMigrationAlone(open: () => Promise<OpenDatabase>) {
	it("is recommended by a rejected sign-up where only Better Auth's own migration ran", async () => {
		const on = await open();
		await (await makePlainHost(on)).signUp("ada@example.com");
		const { lines, logger } = keepLog();
		const { makeTenant, signUp } = await makeInstance({ on, logger });
		const tenantId = await makeTenant();
		const before = lines.length;
		const rejected = () => lines.filter((line) => line.includes("a user was rejected"));

		const { status, body } = await signUp(tenantId, "ada@example.com");
		expect([status, body.code]).toEqual([422, "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL"]);
		expect(rejected()).toEqual([expect.stringContaining("npx better-auth-tenant upgrade")]);
		expect(lines.slice(before).join()).not.toContain("ada@example.com");
		await on.close();
	});
}

/** Core first checks whether an email is free, so only the loser of a race reaches the index. */
export function describeNewIndex(open: () => Promise<OpenDatabase>) {
	it("is not recommended if the tenant itself has the email", async () => {
		const on = await open();
		const { lines, logger } = keepLog();
		const { auth, makeTenant } = await makeInstance({ on, logger });
		const { adapter } = await auth.$context;
		const tenantId = await makeTenant();
		const rest = { emailVerified: false, createdAt: new Date(), updatedAt: new Date() };
		const create = () =>
			runInTenant(auth, tenantId, () =>
				adapter.create({ model: "user", data: { name: "Bob", email: "bob@example.com", ...rest } }),
			);
		await create();
		await expect(create()).rejects.toThrow("already exists");
		expect(lines.join()).not.toContain("a user was rejected");
		await on.close();
	});
}
