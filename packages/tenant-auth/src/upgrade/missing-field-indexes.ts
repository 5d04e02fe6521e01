import type { BetterAuthDBSchema } from "@better-auth/core/db";
import type { Catalog } from "./catalog";
import type { Statement } from "./statement";

const INDEXED_FIELDS = [
	["session", "tenantId"],
	["verification", "tenantId"],
	["tenantRow", "tenantId"],
	["tenant", "createdAt"],
] as const;

/**
 * An index over one column comes with its column in Better Auth's migration. Where that was broken off
 * in between, the column is there and Better Auth does not look again.
 */
export async function findMissingFieldIndexes(
	catalog: Catalog,
	tables: BetterAuthDBSchema,
): Promise<Statement[]> {
	const statements: Statement[] = [];
	for (const [model, field] of INDEXED_FIELDS) {
		const table = tables[model]?.modelName;
		const column = tables[model]?.fields[field]?.fieldName ?? field;
		if (!table) continue;
		if (!(await catalog.columnsOf(table)).some(({ name }) => name === column)) continue;
		if ((await catalog.indexesOf(table)).some(({ columns }) => columns[0] === column)) continue;
		const name = catalog.quote(`${table}_${column}_idx`.slice(-63));
		statements.push({
			sql: `create index ${name} on ${catalog.table(table)} (${catalog.quote(column)})`,
			reason: `${table}.${column} is looked up by and has no index: a migration was broken off`,
		});
	}
	return statements;
}
