import { type BetterAuthOptions, betterAuth } from "better-auth";
import { runInTenant, tenantAuth } from "better-auth-tenant";
import { planUpgrade, type UpgradePlan } from "better-auth-tenant/upgrade";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { untilHang } from "../../../../testing/time-limits";
import type { OpenDatabase } from "./databases";
import { type HostDatabase, type Instance, makeInstance } from "./instance";
import { keepLog } from "./kept-log";
import { makePlainHost, type PlainHost, runSql, schemaOf, spelling, sqlOf } from "./plain-host";

export const withTenants = (on: HostDatabase, options: BetterAuthOptions = {}) =>
	({
		secret: "a secret of thirty-two characters or more",
		logger: { disabled: true },
		...options,
		database: on.pool ?? { db: sqlOf(on), type: on.type, transaction: true },
		plugins: [tenantAuth()],
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

		it("makes them the platform's, and their sessions go on", async () => {
			const { body } = await instance.call("/get-session", { cookie: ada.cookie });
			expect(body.user).toMatchObject({ id: ada.userId, tenantId: null });
			expect(body.session.tenantId).toBe(null);
		});

		it("keeps passwords and links that were mailed before", async () => {
			const signIn = async (password: string) =>
				instance.call("/sign-in/email", { body: { email: "ada@example.com", password } });
			expect((await signIn("the old password")).body.user.id).toBe(ada.userId);
			const body = { token: resetToken, newPassword: "the new password" };
			expect((await instance.call("/reset-password", { body })).status).toBe(200);
			expect((await signIn("the new password")).body.user.id).toBe(ada.userId);
		});

		it("keeps social accounts, and the database refuses a second row of one", async () => {
			const { adapter, internalAdapter } = await instance.auth.$context;
			const row = { userId: ada.userId, providerId: "google", accountId: "1234" };
			const where = [{ field: "accountId", value: "1234" }];
			expect(await adapter.findMany({ model: "account", where })).toMatchObject([row]);
			await expect(internalAdapter.createAccount(row)).rejects.toThrow();
		});

		it("lets the same address sign up in a tenant, once", async () => {
			const tenantId = await instance.makeTenant();
			const { body } = await instance.signUp(tenantId, "ada@example.com");
			expect(body.user).toMatchObject({ email: "ada@example.com", tenantId });
			expect(body.user.id).not.toBe(ada.userId);
			expect((await instance.signUp(tenantId, "ada@example.com")).status).toBe(422);
			const again = { name: "User", email: "ada@example.com", password: "correct horse battery" };
			expect((await instance.call("/sign-up/email", { body: again })).status).toBe(422);
		});

		it("lets processes of the old code go on, whose users are the platform's, too", async () => {
			const bob = await plain.signUp("bob@example.com");
			const { body } = await instance.call("/get-session", { cookie: bob.cookie });
			expect(body.user).toMatchObject({ id: bob.userId, tenantId: null });
		});

		it("changes nothing by being planned", () => {
			expect(plans.first).toMatchObject({ database: on.type, refusals: [], notes: [] });
			expect(plans.first.statements.length).toBeGreaterThan(5);
			expect(schemas.planned).toEqual(schemas.before);
			expect(schemas.after).not.toEqual(schemas.before);
		});

		it("does nothing the second time", () => {
			expect(plans.second).toMatchObject({ statements: [], refusals: [], notes: [] });
			expect(schemas.again).toEqual(schemas.after);
		});

		it("is asked for at each start until it ran", () => {
			expect(logs.before.join()).toMatch(/e-mail address unique across.*npx better-auth-tenant up/);
			expect(logs.after.join()).not.toContain("unique across");
		});
	});

	describe("of renamed tables, after a migration that was broken off", () => {
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
			// Begin and commit included, they need one connection.
			await sqlOf(on)
				.connection()
				.execute(async (db) => {
					for (const { sql } of statements) await runSql({ ...on, db }, sql);
				});
			instance = await makeInstance({ on, ...names });
		});
		afterAll(() => on.close());

		it("is done by exactly the statements that it prints", async () => {
			expect(await planUpgrade(withTenants(on, names))).toMatchObject({ statements: [] });
			const { body } = await instance.call("/get-session", { cookie });
			expect(body.user.email).toBe("ada@example.com");
			const inTenant = await instance.signUp(await instance.makeTenant(), "ada@example.com");
			expect(inTenant.status).toBe(200);
		});

		it("makes the indexes that would have come with their columns", async () => {
			expect(JSON.stringify(await schemaOf(on))).toContain("tenantRow_tenantId_idx");
		});

		it("drops an index of the host's that keeps a social account unique across tenants", async () => {
			expect(JSON.stringify(await schemaOf(on))).not.toContain("one_login");
		});
	});

	describe("of rows and tables that stand against it", () => {
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
			const key = `foreign key (address) references ${quote("user")} (email)`;
			await runSql(on, `create table newsletter (address ${text} not null, ${key})`);
			plan = await planUpgrade(withTenants(on));
		});
		afterAll(() => on.close());

		it("is refused while two rows are the same social account", () => {
			expect(plan.refusals.join()).toMatch(/made: 1 value is in several rows of account.*select/);
		});

		it("is refused while another table refers to a user by the address", () => {
			expect(plan.refusals.join()).toContain("newsletter has a foreign key to user.email");
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

		it("makes all tables as Better Auth's own migration does", async () => {
			const { makeTenant, signUp } = await makeInstance({ on });
			expect((await signUp(await makeTenant(), "ada@example.com")).status).toBe(200);
			expect(await planUpgrade(withTenants(on))).toMatchObject({ statements: [], refusals: [] });
		});
	});
}

/** Not on MySQL, where Better Auth's own migration refuses an existing database. */
export function describeMigrationAlone(open: () => Promise<OpenDatabase>) {
	it("is what a refused sign-up asks for where Better Auth's own migration ran alone", async () => {
		const on = await open();
		await (await makePlainHost(on)).signUp("ada@example.com");
		const { lines, logger } = keepLog();
		const { makeTenant, signUp } = await makeInstance({ on, logger });
		const tenantId = await makeTenant();
		const before = lines.length;
		const refused = () => lines.filter((line) => line.includes("a user was refused"));

		const { status, body } = await signUp(tenantId, "ada@example.com");
		expect([status, body.code]).toEqual([422, "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL"]);
		expect(refused()).toEqual([expect.stringContaining("npx better-auth-tenant upgrade")]);
		expect(lines.slice(before).join()).not.toContain("ada@example.com");
		await on.close();
	});
}

/** Core asks first whether an address is free: only the loser of a race comes to the index. */
export function describeNewIndex(open: () => Promise<OpenDatabase>) {
	it("is not asked for by an address that the tenant itself has", async () => {
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
		expect(lines.join()).not.toContain("a user was refused");
		await on.close();
	});
}
