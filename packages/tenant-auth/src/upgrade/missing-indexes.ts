import type { BetterAuthOptions } from "@better-auth/core";
import type { BetterAuthDBSchema } from "@better-auth/core/db";
import { getSchema } from "better-auth/db";
import type { Catalog, Column } from "./catalog";
import type { Connection } from "./host-database";

export interface TenantIndex {
	/** The model's key in Better Auth's schema. */
	model: string;
	table: string;
	name: string;
	columns: string[];
	unique: boolean;
	/** Those of them that the table has already. */
	present: Column[];
}

/** This plugin's indexes over several columns that a table of the live database lacks. */
export async function findMissingIndexes(
	catalog: Catalog,
	options: BetterAuthOptions,
	tables: BetterAuthDBSchema,
): Promise<TenantIndex[]> {
	const schema = getSchema(options);
	const missing: TenantIndex[] = [];
	for (const [model, { modelName: table, fields }] of Object.entries(tables)) {
		const tenantId = fields.tenantId?.fieldName ?? "tenantId";
		const ofTenant = (schema[table]?.indexes ?? []).filter(
			({ columns }) => columns[0] === tenantId,
		);
		const columns = ofTenant.length > 0 ? await catalog.columnsOf(table) : [];
		if (columns.length === 0) continue;
		const existing = new Set((await catalog.indexesOf(table)).map(({ name }) => name));
		for (const index of ofTenant.filter(({ name }) => !existing.has(name))) {
			missing.push({
				model,
				table,
				name: index.name,
				columns: [...index.columns],
				unique: index.unique ?? false,
				present: columns.filter(({ name }) => index.columns.includes(name)),
			});
		}
	}
	return missing;
}

/** Rows that such an index would refuse, told in a sentence. */
export async function findDuplicates(
	catalog: Catalog,
	{ query }: Connection,
	{ table, name, unique, present }: TenantIndex,
): Promise<string[]> {
	if (!unique) return [];
	const columns = present.map((column) => catalog.quote(column.name));
	const groups = `from ${catalog.table(table)} where ${columns
		.map((column) => `${column} is not null`)
		.join(" and ")} group by ${columns.join(", ")} having count(*) > 1`;
	const [counted] = await query(`select count(*) as n from (select 1 as one ${groups}) repeated`);
	const count = Number(counted?.n ?? 0);
	if (count === 0) return [];
	return [
		`The unique index ${name} cannot be made: ${count} ${count === 1 ? "value is" : "values are"} in several rows of ${table}. Keep one row of each; this finds them: select ${columns.join(", ")}, count(*) ${groups}`,
	];
}
