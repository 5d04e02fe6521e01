import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from "better-auth";
import { organization } from "better-auth/plugins";
import { defineTenantPlugin, tenantAuth } from "better-auth-tenant";
import { planUpgrade } from "better-auth-tenant/upgrade";
import { tenantWebhooks } from "better-auth-tenant/webhooks";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { notes } from "../port/notes";
import { type OpenDatabase, openSqlite } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { keepLog } from "../support/processes/kept-log";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import { makeInstance } from "../support/worlds/instance";
import { makePlainHost, runSql, schemaOf, spelling } from "../support/worlds/plain-host";
import { upgrade, withTenants } from "../support/worlds/upgraded-app";

const own = { type: "string", required: false } as const;

const ADVICE = 'tenantWebhooks({ schema: { tenantWebhook: { modelName: "authTenantWebhook" } } })';

describe.each(eachDatabase)(
	"an app on %s with names of another plugin with a tenant part",
	(_, open) => {
		async function withApp(run: (on: OpenDatabase) => Promise<void>) {
			const on = await open();
			try {
				await run(on);
			} finally {
				await on.close();
			}
		}

		async function expectBlocked(on: OpenDatabase, plugins: BetterAuthPlugin[], message: string) {
			const before = await schemaOf(on);
			const plan = await planUpgrade(withTenants(on, { plugins }));
			expect(plan).toMatchObject({ statements: [], blockers: [expect.stringContaining(message)] });
			await expect(plan.run()).rejects.toThrow(message);
			expect(await schemaOf(on)).toEqual(before);
			return plan.blockers.join();
		}

		const createTable = (on: OpenDatabase, table: string, columns: string) => {
			const { quote, short } = spelling(on);
			return runSql(on, `create table ${quote(table)} (id ${short} primary key, ${columns})`);
		};

		it.each([
			["has never had tenants", false, "The table tenantWebhook is not of tenantWebhooks"],
			["has tenants", true, "The table tenantWebhook is not of tenantWebhooks: it has no column"],
		])("that %s keeps its own table", (_, hasTenants, message) =>
			withApp(async (on) => {
				if (hasTenants) await upgrade(on);
				else await makePlainHost(on);
				await createTable(on, "tenantWebhook", `url ${spelling(on).text}`);
				const table = spelling(on).quote("tenantWebhook");
				await runSql(on, `insert into ${table} values ('1', 'https://mine.example.com')`);
				const plugins = [tenantAuth(), tenantWebhooks()];
				expect(await expectBlocked(on, plugins, message)).toContain(ADVICE);

				const schema = { tenantWebhook: { modelName: "authTenantWebhook" } };
				await upgrade(on, { plugins: [tenantAuth(), tenantWebhooks({ schema })] });
				expect(await runSql(on, `select * from ${table}`)).toEqual([
					{ id: "1", url: "https://mine.example.com" },
				]);
			}),
		);

		it("learns which columns a table of its own plugin lacks", () =>
			withApp(async (on) => {
				await upgrade(on);
				await createTable(on, "note", `body ${spelling(on).text}`);
				const blocker = await expectBlocked(
					on,
					[tenantAuth(), notes()],
					"The table note is not of the plugin notes: it has no column text",
				);
				expect(blocker).toContain("Rename yours, or the plugin's in its schema");
			}));

		it("serves no call while a table has columns of another type", () =>
			withApp(async (on) => {
				const options = withTenants(on, {
					plugins: [tenantAuth(), notes()],
					emailAndPassword: { ...cheapPasswords, enabled: true },
				});
				await upgrade(on, options);
				await runSql(on, "drop table note");
				await createTable(on, "note", "text integer not null");
				const log = keepLog();
				const auth = betterAuth({ ...options, logger: log.logger });
				const body = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
				const message = "The table note is not of the plugin notes";
				await expect(auth.api.signUpEmail({ body })).rejects.toThrow(message);
				expect(log.lines.join()).toContain(message);
				await runSql(on, "drop table note");
				await createTable(on, "note", `text ${spelling(on).text} not null`);
				expect((await auth.api.signUpEmail({ body })).user).toMatchObject({ tenantId: null });
			}));

		it("keeps a table of a plugin that it used before it had tenants", () =>
			withApp(async (on) => {
				await makePlainHost(on, { plugins: [notes()] });
				await runSql(on, "insert into note values ('1', 'Buy milk')");
				await upgrade(on, { plugins: [tenantAuth(), notes()] });
				expect(await runSql(on, "select * from note")).toEqual([{ id: "1", text: "Buy milk" }]);
			}));

		it("can have a plugin that adds a column to a table of another one", () =>
			withApp(async (on) => {
				await makePlainHost(on, { plugins: [organization()] });
				const plans = defineTenantPlugin({
					id: "plans",
					schema: { organization: { fields: { plan: own } }, tenant: { fields: { plan: own } } },
					tenant: { requires: ["tenant-auth"] },
				});
				const plugins = [organization(), tenantAuth(), plans];
				await upgrade(on, { plugins });
				expect(await planUpgrade(withTenants(on, { plugins }))).toMatchObject({ statements: [] });
				expect(JSON.stringify(await schemaOf(on))).toContain("plan");
			}));
	},
);

describe("the start stops, and an upgrade too, if", () => {
	const mine = (schema: BetterAuthPlugin["schema"]) => ({ id: "mine", ...(schema && { schema }) });
	const cases: [string, BetterAuthPlugin[], string, string][] = [
		[
			"another plugin has a field of a feature",
			[tenantWebhooks(), mine({ tenantWebhook: { fields: { url: own } } })],
			"The plugin mine has the field url in tenantWebhook, and so has tenantWebhooks",
			"rename the other one in its plugin",
		],
		[
			"another plugin has a column of a feature",
			[
				tenantWebhooks(),
				mine({ tenantWebhook: { fields: { link: { ...own, fieldName: "url" } } } }),
			],
			"has the field link in tenantWebhook with the column url, and tenantWebhooks has a column",
			'tenantWebhooks({ schema: { tenantWebhook: { fields: { url: "authUrl" } } } })',
		],
		[
			"a plugin of the app has a table of another one",
			[notes(), mine({ memo: { modelName: "note", fields: { text: own } } })],
			"The plugin mine has the table note, and so has the plugin notes",
			"Rename yours, or the plugin's in its schema",
		],
		[
			"a plugin of the app has a table of ours",
			[
				defineTenantPlugin({
					...mine({ tenant_: { modelName: "tenant", fields: {} } }),
					tenant: {},
				}),
			],
			"The plugin mine has the table tenant, and so has tenantAuth",
			'tenantAuth({ schema: { tenant: { modelName: "authTenant" } } })',
		],
	];

	it.each(cases)("%s", async (_, plugins, what, advice) => {
		const options = {
			secret: "a secret of thirty-two characters or more",
			baseURL: "http://localhost:3000",
			logger: { disabled: true },
			plugins: [tenantAuth(), ...plugins],
		} satisfies BetterAuthOptions;
		const stopped = { name: "BetterAuthError", message: expect.stringContaining(what) };
		const error = await betterAuth(options).$context.catch((reason: unknown) => reason);
		expect(error).toMatchObject(stopped);
		expect(String(error)).toContain(advice);
		const on = await openSqlite();
		await expect(planUpgrade(withTenants(on, options))).rejects.toMatchObject(stopped);
		await on.close();
	});
});

it("each of our plugins with tables says how they are renamed", async () => {
	const { options } = await makeInstance();
	const plugins = options.plugins.filter(({ id }: BetterAuthPlugin) => id !== "tenant-auth");
	for (const plugin of notEmpty(plugins)) {
		const tables = Object.keys(("schema" in plugin && plugin.schema) || {});
		// An index on a table of core has no name to change.
		if (!tables.some((table) => table.startsWith("tenant"))) continue;
		expect(plugin).toHaveProperty("tenant.creator", expect.stringMatching(/^tenant[A-Z]/));
	}
});
