import { drizzleAdapter } from "@better-auth/drizzle-adapter";
import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { username } from "better-auth/plugins";
import { tenantAuth } from "better-auth-tenant";
import { getTableColumns, is, Table } from "drizzle-orm";
import {
	getTableConfig as getMysqlConfig,
	type MySqlColumn,
	MySqlTable,
} from "drizzle-orm/mysql-core";
import { getTableConfig as getPgConfig, PgTable } from "drizzle-orm/pg-core";
import { getTableConfig as getSqliteConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import { notEmpty, possiblyEmpty } from "../../../../testing/not-empty";
import { uniqueIndexes } from "../support/databases/unique-indexes";
import { generateSchema } from "../support/processes/better-auth-cli";
import { importCode } from "../support/processes/import-code";
import { makeFeatures, SCHEMA } from "../support/worlds/features";
import { hostNames } from "../support/worlds/host-names";

const hostOptions = ({ tenants, ...rest } = hostNames()): BetterAuthOptions => ({
	...rest,
	plugins: [tenantAuth(tenants), ...makeFeatures(), username()],
});

const usual = () => hostOptions({});

/** The plugin's indexes that are not unique. */
function plainIndexes(model: string): (readonly string[])[] {
	const schema: NonNullable<BetterAuthPlugin["schema"]> = SCHEMA;
	const { fields = {}, indexes = [] } = schema[model] ?? {};
	const indexed = Object.keys(fields).filter((name) => fields[name]?.index);
	return [
		...indexed.map((name) => [name]),
		...indexes.filter(({ unique }) => !unique).map((index) => index.fields),
	];
}

interface Indexes {
	unique: string[][];
	plain: string[][];
}

/** Runs a generated Drizzle schema and reads its tables. */
async function readDrizzle(code: string): Promise<Record<string, Indexes>> {
	const tables = Object.entries(await importCode(code)).filter(
		(entry): entry is [string, MySqlTable | PgTable | SQLiteTable] => is(entry[1], Table),
	);
	return Object.fromEntries(tables.map(([name, table]) => [name, indexesOf(table)]));
}

function indexesOf(table: MySqlTable | PgTable | SQLiteTable): Indexes {
	const { indexes } = is(table, PgTable)
		? getPgConfig(table)
		: is(table, MySqlTable)
			? getMysqlConfig(table)
			: getSqliteConfig(table);
	const columns = Object.entries(getTableColumns(table));
	const fieldOf = (column: unknown) =>
		columns.find(([, { name }]) => name === (column as { name: string }).name)?.[0] ?? "";
	const fields = (unique: boolean) =>
		indexes
			.filter(({ config }) => Boolean(config.unique) === unique)
			.map(({ config }) => config.columns.map(fieldOf));
	const uniqueColumns = columns.filter(([, { isUnique }]) => isUnique).map(([field]) => [field]);
	return { unique: [...fields(true), ...uniqueColumns], plain: fields(false) };
}

const listed = (text = "") => text.split(",").map((name) => name.trim());

function readPrisma(code: string): Record<string, Indexes> {
	const models = [...code.matchAll(/^model (\w+) \{([\s\S]*?)^\}/gm)];
	return Object.fromEntries(
		models.map(([, name, body = ""]) => {
			const indexes = (pattern: RegExp) =>
				[...body.matchAll(pattern)].map(([, names]) =>
					listed(names?.replaceAll(/\(length: \d+\)/g, "")),
				);
			const unique = indexes(/@@unique\(\[([^\]]*)\]/g);
			const uniqueColumns = indexes(/^\s+(\w+) .*[^@]@unique/gm);
			return [
				name,
				{ unique: [...unique, ...uniqueColumns], plain: indexes(/@@index\(\[([^\]]*)\]/g) },
			];
		}),
	);
}

const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

function expectIndexes(found: Record<string, Indexes>, nameOf = (model: string) => model) {
	for (const [model, unique] of notEmpty(Object.entries(uniqueIndexes))) {
		expect(found[nameOf(model)]?.unique.sort(), model).toEqual([...unique].sort());
		for (const fields of possiblyEmpty(plainIndexes(model))) {
			expect(found[nameOf(model)]?.plain, model).toContainEqual(fields);
		}
	}
}

describe("the schema that Better Auth's command generates", () => {
	it.each(["sqlite", "pg", "mysql"] as const)(
		"for Drizzle on %s has our indexes, and none on the email alone",
		async (provider) => {
			const adapter = drizzleAdapter({}, { provider, schema: {} });
			expectIndexes(await readDrizzle(await generateSchema(adapter, usual())));
		},
	);

	it.each(["sqlite", "postgresql", "mysql"] as const)(
		"for Prisma on %s has our indexes, and none on the email alone",
		async (provider) => {
			const adapter = prismaAdapter({}, { provider });
			expectIndexes(readPrisma(await generateSchema(adapter, usual())), capitalized);
		},
	);

	it("uses the names of the app for tables and columns", async () => {
		const drizzle = await generateSchema(
			drizzleAdapter({}, { provider: "pg", schema: {} }),
			hostOptions(),
		);
		const tables = await readDrizzle(drizzle);
		expect(tables.app_member?.unique).toContainEqual(["organization_id", "email_address"]);
		expect(tables.app_identity?.unique).toEqual([["organization_id", "provider_id", "account_id"]]);
		expect(tables.app_client?.unique).toEqual([["organization_id", "provider_id"]]);
		const prisma = await generateSchema(
			prismaAdapter({}, { provider: "postgresql" }),
			hostOptions(),
		);
		const models = readPrisma(prisma);
		expect(models.App_member?.unique).toContainEqual(["organization_id", "email_address"]);
		expect(models.App_organization?.unique).toEqual([["handle"]]);
	});

	it("stays within the limits of a key on MySQL", async () => {
		const adapter = drizzleAdapter({}, { provider: "mysql", schema: {} });
		const code = await generateSchema(adapter, usual());
		for (const table of notEmpty(Object.values(await importCode(code)))) {
			if (!is(table, MySqlTable)) continue;
			for (const { config } of possiblyEmpty(getMysqlConfig(table).indexes)) {
				const types = config.columns.map((column) => (column as MySqlColumn).getSQLType());
				// MySQL has no keys over a whole text. Other types are short enough.
				expect(types, config.name).not.toContain("text");
				const characters = types.map((type) => Number(/^varchar\((\d+)\)/.exec(type)?.[1] ?? 2));
				const bytes = characters.reduce((sum, length) => sum + 4 * length, 0);
				expect(bytes, config.name).toBeLessThanOrEqual(3072);
			}
		}
	});
});
