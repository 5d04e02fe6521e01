import { planUpgrade, toSqlScript, type UpgradePlan } from "better-auth-tenant/upgrade";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { makePlainHost, runSql, schemaOf, spelling } from "../support/worlds/plain-host";
import { pluginWithoutRemovedFields, upgrade, withTenants } from "../support/worlds/upgraded-app";

const TENANTS = 205;
const tenantIds = Array.from({ length: TENANTS }, (_, at) => `tenant's ${at}`);
const entryOf = (tenantId: string) => `tenant-suspended-${tenantId}`;

/** What earlier versions stored about the suspension of a tenant in several places. */
describe.each(eachDatabase)("an upgrade on %s", (_, open) => {
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
});
