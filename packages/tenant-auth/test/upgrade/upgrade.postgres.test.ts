import { createKyselyAdapter } from "@better-auth/kysely-adapter";
import { planUpgrade } from "better-auth-tenant/upgrade";
import { describe, expect, it } from "vitest";
import { services } from "../../../../testing/services";
import { openPostgres } from "../support/databases/databases";
import { makePlainHost, runSql, schemaOf, sqlOf } from "../support/worlds/plain-host";
import { upgrade, withTenants } from "../support/worlds/upgraded-app";

const open = () => openPostgres(String(services.postgres));

describe.skipIf(!services.postgres)("an upgrade on PostgreSQL", () => {
	it("only changes the schema that the app configured, and drops an index that is not a constraint", async ({
		skip,
	}) => {
		const on = await open();
		const inSchema = { db: sqlOf(on), type: "postgres" as const, schemaName: "tucked_away" };
		const { schemaName } = await createKyselyAdapter({ database: inSchema });
		skip(!schemaName, "older versions of Better Auth cannot configure a schema");
		await runSql(on, "create schema tucked_away");
		const hidden = { ...on, pool: inSchema };
		await makePlainHost(on);
		await makePlainHost(hidden);
		await runSql(on, 'alter table tucked_away."user" drop constraint user_email_key');
		await runSql(on, 'create unique index user_email_key on tucked_away."user" (email)');
		const elsewhere = await schemaOf(on);

		await upgrade(hidden);

		const indexes = "select indexname as name from pg_indexes where schemaname = 'tucked_away'";
		const names = ((await runSql(on, indexes)) as { name: string }[]).map(({ name }) => name);
		expect(names).toContain("user_tenantId_email_uidx");
		expect(names).not.toContain("user_email_key");
		expect(await schemaOf(on)).toEqual(elsewhere);
		expect((await planUpgrade(withTenants(hidden))).statements).toEqual([]);
		await on.close();
	});

	it("skips an index that was created before, concurrently", async () => {
		const on = await open();
		await makePlainHost(on);
		await runSql(on, `alter table "user" add column "tenantId" text default '' not null`);
		await runSql(on, 'alter table "user" add column "tenantRole" text');
		await runSql(on, 'alter table "user" add column "disabledAt" timestamptz');
		await runSql(
			on,
			'create unique index concurrently "user_tenantId_email_uidx" on "user" ("tenantId", "email")',
		);
		const { statements } = await planUpgrade(withTenants(on));
		const changesUsers = ({ sql }: { sql: string }) =>
			/( on|^alter table) ("public"\.)?"user"/.test(sql);
		expect(statements.filter(changesUsers)).toMatchObject([
			{ sql: 'create index "user_tenantId_createdAt_idx" on "user" ("tenantId", "createdAt")' },
			{ sql: 'alter table "public"."user" drop constraint "user_email_key"' },
		]);
		await on.close();
	});

	it("is rolled back as a whole if a statement fails", async () => {
		const on = await open();
		await makePlainHost(on);
		await runSql(on, 'create sequence "tenantRow"');
		const before = await schemaOf(on);
		await expect(upgrade(on)).rejects.toThrow(/already exists, at: create table/);
		expect(await schemaOf(on)).toEqual(before);
		await on.close();
	});
});
