import { type BetterAuthOptions, betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";
import { getMigrations } from "better-auth/db/migration";
import { tenantAuth } from "better-auth-tenant";
import { planUpgrade } from "better-auth-tenant/upgrade";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { type OpenDatabase, openSqlite } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { keepLog } from "../support/processes/kept-log";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import { makePlainHost, runSql, schemaOf, spelling } from "../support/worlds/plain-host";
import { upgrade, withTenants } from "../support/worlds/upgraded-app";

const own = { type: "string", required: false } as const;
const date = { type: "date", required: false } as const;
const signIn = { emailAndPassword: { ...cheapPasswords, enabled: true } };

const rename = (model: string, field: string, column: string) =>
	`tenantAuth({ schema: { ${model}: { fields: { ${field}: "${column}" } } } })`;

describe.each(eachDatabase)("an app on %s with names of its own that are ours", (_, open) => {
	async function withApp(run: (on: OpenDatabase) => Promise<void>) {
		const on = await open();
		try {
			await run(on);
		} finally {
			await on.close();
		}
	}

	async function expectBlocked(on: OpenDatabase, ...messages: (string | RegExp)[]) {
		const before = await schemaOf(on);
		const plan = await planUpgrade(withTenants(on));
		for (const message of notEmpty(messages)) expect(plan.blockers.join("\n")).toMatch(message);
		expect(plan.blockers.join("\n")).not.toContain("backfill");
		expect(plan).toMatchObject({ statements: [], notes: [] });
		await expect(plan.run()).rejects.toThrow(messages[0]);
		expect(await schemaOf(on)).toEqual(before);
	}

	it.each(["user", "session", "account"] as const)(
		"cannot be upgraded if %s has its own tenantId that may be empty",
		(model) =>
			withApp(async (on) => {
				const plain = await makePlainHost(on, {
					[model]: { additionalFields: { tenantId: own } },
				});
				const { userId } = await plain.signUp("ada@example.com");
				const { quote } = spelling(on);
				await runSql(on, `update ${quote(model)} set ${quote("tenantId")} = 'customer-1'`);
				await expectBlocked(
					on,
					`The table ${model} has a column tenantId that is not of tenantAuth: it can be null`,
					`tenantAuth({ schema: { ${model}: { fields: { tenantId: "authTenantId" } } } })`,
				);
				expect(userId).toBeTruthy();
			}),
	);

	it("can be upgraded with both lines of the advice, and keeps its values", () =>
		withApp(async (on) => {
			const ownField = { ...own, fieldName: "tenantId" };
			const user = { additionalFields: { ownTenantId: ownField } };
			const plain = await makePlainHost(on, { user });
			const { userId } = await plain.signUp("ada@example.com");
			const { quote } = spelling(on);
			await runSql(on, `update ${quote("user")} set ${quote("tenantId")} = 'customer-1'`);
			const options = {
				...signIn,
				user,
				plugins: [tenantAuth({ schema: { user: { fields: { tenantId: "authTenantId" } } } })],
			};
			await upgrade(on, options);
			const auth = betterAuth(withTenants(on, options));
			const body = { email: "ada@example.com", password: "correct horse battery" };
			expect((await auth.api.signInEmail({ body })).user).toMatchObject({
				id: userId,
				tenantId: null,
				ownTenantId: "customer-1",
			});
		}));

	it("cannot be upgraded if its column has the shape of ours, and values that are no tenant", () =>
		withApp(async (on) => {
			const plain = await makePlainHost(on);
			await plain.signUp("ada@example.com");
			const { quote, text } = spelling(on);
			const user = quote("user");
			await runSql(
				on,
				`alter table ${user} add column ${quote("tenantId")} ${text} not null default ''`,
			);
			expect((await planUpgrade(withTenants(on))).blockers).toEqual([]);
			await runSql(on, `update ${user} set ${quote("tenantId")} = 'customer-1'`);
			await expectBlocked(on, "1 row has a value that is not the id of a tenant");
		}));

	it.each([
		["user", "disabledAt", "authDisabledAt"],
		["user", "tenantRole", "authTenantRole"],
		["account", "authority", "authAuthority"],
		["account", "oauthClient", "authOauthClient"],
		["session", "tenantImpersonator", "authTenantImpersonator"],
	])("cannot be upgraded if %s.%s was there before the plugin", (model, field, column) =>
		withApp(async (on) => {
			const field_ = field === "disabledAt" ? date : own;
			await makePlainHost(on, { [model]: { additionalFields: { [field]: field_ } } });
			await expectBlocked(on, "it was there before the plugin", rename(model, field, column));
		}),
	);

	it.each([
		["a table tenant with rows", "plan", true],
		["an empty table tenant", "plan", false],
		["an empty table tenant with columns of ours", "slug", false],
	])("cannot be upgraded with %s", (_, column, hasRows) =>
		withApp(async (on) => {
			await makePlainHost(on);
			const { short } = spelling(on);
			await runSql(
				on,
				`create table tenant (id ${short} primary key, name ${short} not null, ${column} ${short})`,
			);
			if (hasRows) await runSql(on, "insert into tenant values ('1', 'Acme', 'pro')");
			await expectBlocked(
				on,
				"The table tenant is not of tenantAuth",
				'tenantAuth({ schema: { tenant: { modelName: "authTenant" } } })',
			);
			const plugins = [tenantAuth({ schema: { tenant: { modelName: "authTenant" } } })];
			await upgrade(on, { plugins });
			const before = hasRows ? [{ id: "1", name: "Acme" }] : [];
			expect(await runSql(on, "select * from tenant")).toMatchObject(before);
		}),
	);

	it("serves no call if Better Auth's own migration took the column over", async ({ skip }) => {
		await withApp(async (on) => {
			skip(on.type === "mysql", "Better Auth's own migration does not run there");
			await makePlainHost(on, { user: { additionalFields: { tenantId: own } } });
			const options = withTenants(on, signIn);
			await (await getMigrations(options)).runMigrations();
			const log = keepLog();
			const auth = betterAuth({ ...options, logger: log.logger });
			const message = "The table user has a column tenantId that is not of tenantAuth";
			const body = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
			await expect(auth.api.signUpEmail({ body })).rejects.toThrow(message);
			expect(log.lines.join()).toContain(message);
			const { quote } = spelling(on);
			expect(await runSql(on, `select * from ${quote("user")}`)).toEqual([]);

			await runSql(on, `alter table ${quote("user")} rename column ${quote("tenantId")} to mine`);
			const column = `${quote("tenantId")} ${spelling(on).text} not null default ''`;
			await runSql(on, `alter table ${quote("user")} add column ${column}`);
			expect((await auth.api.signUpEmail({ body })).user).toMatchObject({ tenantId: null });
		});
	});
});

describe("an app behind an adapter, whose columns nobody can look up", () => {
	const body = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };

	/** @param rows of the tables with our names */
	function start(rows: Record<string, object[]>) {
		const tables = ["user", "session", "account", "verification", "tenant", "tenantFormerSlug"];
		const empty = [...tables, "tenantOauthConfig", "tenantRow", "tenantAuditEvent"];
		const data = { ...Object.fromEntries(empty.map((table) => [table, []])), ...rows };
		const log = keepLog();
		const auth = betterAuth({
			secret: "a secret of thirty-two characters or more",
			baseURL: "http://localhost:3000",
			...signIn,
			logger: log.logger,
			database: memoryAdapter(data as Record<string, Record<string, unknown>[]>),
			plugins: [tenantAuth()],
		});
		return { auth, log };
	}

	it.each(["user", "session", "account", "verification"])(
		"serves no call if tenantId of %s is empty in a row",
		async (model) => {
			const { auth, log } = start({ [model]: [{ id: "1", email: "x@y.z", tenantId: null }] });
			const message = `The table ${model} has rows without a value in the column of tenantId`;
			await expect(auth.api.signUpEmail({ body })).rejects.toThrow(message);
			expect(log.lines.join()).toContain(rename(model, "tenantId", "authTenantId"));
		},
	);

	it("logs users of tenants that do not exist", async () => {
		const tenant = { id: "b", name: "B", slug: "b", createdAt: new Date(), updatedAt: new Date() };
		const userOf = (tenantId: string) => ({ id: tenantId, email: "x@y.z", tenantId });
		const known = start({ user: [userOf(""), userOf("b")], tenant: [tenant] });
		await known.auth.api.signUpEmail({ body });
		expect(known.log.lines).toEqual([]);
		for (const customer of notEmpty(["a", "c"])) {
			const { auth, log } = start({ user: [userOf("b"), userOf(customer)], tenant: [tenant] });
			await auth.api.signUpEmail({ body });
			expect(log.lines).toEqual([expect.stringContaining(`users have the tenantId "${customer}"`)]);
		}
	});
});

describe("the start stops, and an upgrade too, if the app declares", () => {
	const plugin = (schema: NonNullable<BetterAuthOptions["plugins"]>[number]["schema"]) => ({
		plugins: [{ id: "mine", schema }],
	});
	const cases: [string, BetterAuthOptions, string, string][] = [
		...(["user", "session", "account", "verification"] as const).map(
			(model): [string, BetterAuthOptions, string, string] => [
				`${model}.tenantId`,
				{ [model]: { additionalFields: { tenantId: own } } },
				`${model}.additionalFields has the field tenantId`,
				rename(model, "tenantId", "authTenantId"),
			],
		),
		[
			"user.tenantId as a required field",
			{ user: { additionalFields: { tenantId: { type: "string", required: true } } } },
			"user.additionalFields has the field tenantId",
			'user: { additionalFields: { ownTenantId: { …, fieldName: "tenantId" } } }',
		],
		[
			"user.disabledAt",
			{ user: { additionalFields: { disabledAt: date } } },
			"user.additionalFields has the field disabledAt",
			rename("user", "disabledAt", "authDisabledAt"),
		],
		[
			"account.authority",
			{ account: { additionalFields: { authority: own } } },
			"account.additionalFields has the field authority",
			rename("account", "authority", "authAuthority"),
		],
		[
			"another field with the column tenantId",
			{ user: { additionalFields: { customer: { ...own, fieldName: "tenantId" } } } },
			"has the field customer in user with the column tenantId",
			rename("user", "tenantId", "authTenantId"),
		],
		[
			"a field of ours in another plugin",
			plugin({ user: { fields: { tenantRole: own } } }),
			"The plugin mine has the field tenantRole in user",
			"rename the other one in its plugin",
		],
		[
			"a table with the name of ours",
			plugin({ customer: { modelName: "tenant", fields: { plan: own } } }),
			"The plugin mine has the table tenant",
			'tenantAuth({ schema: { tenant: { modelName: "authTenant" } } })',
		],
	];

	it.each(cases)("%s", async (_, options, what, advice) => {
		const complete = {
			secret: "a secret of thirty-two characters or more",
			baseURL: "http://localhost:3000",
			logger: { disabled: true },
			...options,
			plugins: [...(options.plugins ?? []), tenantAuth()],
		} satisfies BetterAuthOptions;
		const stopped = { name: "BetterAuthError", message: expect.stringContaining(what) };
		const error = await betterAuth(complete).$context.catch((reason: unknown) => reason);
		expect(error).toMatchObject(stopped);
		expect(String(error)).toContain(advice);
		const on = await openSqlite();
		await expect(planUpgrade(withTenants(on, complete))).rejects.toMatchObject(stopped);
		await on.close();
	});

	it("not if another plugin adds a field to a table of ours", async () => {
		const auth = betterAuth({
			secret: "a secret of thirty-two characters or more",
			baseURL: "http://localhost:3000",
			logger: { disabled: true },
			plugins: [...plugin({ tenant: { fields: { plan: own } } }).plugins, tenantAuth()],
		});
		await expect(auth.$context).resolves.toBeDefined();
	});
});
