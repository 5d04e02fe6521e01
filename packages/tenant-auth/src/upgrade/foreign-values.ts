import { CORE_MODELS } from "../schema";
import { findColumn, type Names, shapeProblem, tableOf, tableProblem } from "./foreign-names";
import type { Connection } from "./host-database";
import type { UpgradeCatalog } from "./upgrade-catalog";

/**
 * Finds tables whose `tenantId` has values that are not the ids of tenants. If the table has an index of
 * ours over the column, the column is ours: it was checked before the index was made.
 */
export async function findForeignValues(
	names: Names,
	catalog: UpgradeCatalog,
	{ query }: Connection,
): Promise<Map<string, string>> {
	const { tables } = names;
	const found = new Map<string, string>();
	for (const model of CORE_MODELS) {
		const column = tables[model] && findColumn(names, model, "tenantId");
		if (!column || shapeProblem(names, model, "tenantId")) continue;
		const table = tableOf(tables, model);
		const ours = `${table}_${column.name}_`;
		const indexes = await catalog.indexesOf(table);
		if (indexes.some(({ name }) => name.startsWith(ours))) continue;
		const tenantId = `${catalog.table(table)}.${catalog.quote(column.name)}`;
		const [counted] = await query(
			`select count(*) as n from ${catalog.table(table)} where ${tenantId} <> ''${andUnknown(names, catalog, tenantId)}`,
		);
		const count = Number(counted?.n ?? 0);
		if (count > 0) {
			found.set(
				model,
				`${count} ${count === 1 ? "row has a value that is" : "rows have values that are"} not the id of a tenant`,
			);
		}
	}
	return found;
}

/** Ids may be numbers or UUIDs, and the tables may differ in their collations. */
function andUnknown(names: Names, catalog: UpgradeCatalog, tenantId: string): string {
	const { columns, tables } = names;
	const table = tableOf(tables, "tenant");
	if (!columns.has(table) || tableProblem(names, "tenant")) return "";
	const type = catalog.type === "mysql" ? "binary" : "text";
	return ` and not exists (select 1 from ${catalog.table(table)} known where cast(known.id as ${type}) = cast(${tenantId} as ${type}))`;
}
