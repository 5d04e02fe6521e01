import { betterAuth } from "better-auth";
import { planUpgrade, type UpgradePlan } from "better-auth-tenant/upgrade";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { untilHang } from "../../../../testing/time-limits";
import { type OpenDatabase, openSqlite } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { keepLog } from "../support/processes/kept-log";
import { type Instance, makeInstance } from "../support/worlds/instance";
import {
	makePlainHost,
	type PlainHost,
	runSql,
	schemaOf,
	spelling,
	sqlOf,
} from "../support/worlds/plain-host";
import { upgrade, withTenants } from "../support/worlds/upgraded-app";

describe.each(eachDatabase)("an upgrade on %s", (_, open) => {
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
});

describe("an upgrade", () => {
	it.each([
		["a secondary storage", { secondaryStorage: makeMemoryStorage() }],
		["the cookie cache", { session: { cookieCache: { enabled: true } } }],
	])("keeps sessions in %s, as sessions of the platform", async (_, options) => {
		const on = await openSqlite();
		const plain = await makePlainHost(on, options);
		const { cookie } = await plain.signUp("ada@example.com");

		await upgrade(on, options);

		const { call, makeTenant } = await makeInstance({ on, ...options });
		const onPlatform = await call("/get-session", { cookie });
		expect(onPlatform.body.user.email).toBe("ada@example.com");
		const inTenant = await call("/get-session", { cookie, tenant: await makeTenant() });
		expect(inTenant.body).toBe(null);
		await on.close();
	});
});
