import type { BetterAuthPlugin } from "@better-auth/core";
import type { BetterAuthDBSchema } from "@better-auth/core/db";
import type { Catalog } from "./catalog";
import type { Statement } from "./statement";

/**
 * An index over one column comes with its column in Better Auth's migration. Where that was broken off
 * in between, the column is there and Better Auth does not look again.
 */
export async function findMissingFieldIndexes(
	catalog: Catalog,
	tables: BetterAuthDBSchema,
	{ schema = {} }: BetterAuthPlugin,
): Promise<Statement[]> {
	const statements: Statement[] = [];
	for (const [model, { fields }] of Object.entries(schema)) {
		const table = tables[model]?.modelName;
		if (!table) continue;
		const present = new Set((await catalog.columnsOf(table)).map(({ name }) => name));
		const leading = new Set((await catalog.indexesOf(table)).map(({ columns }) => columns[0]));
		for (const [field, { index }] of Object.entries(fields)) {
			const column = tables[model]?.fields[field]?.fieldName ?? field;
			if (!index || !present.has(column) || leading.has(column)) continue;
			const name = catalog.quote(`${table}_${column}_idx`.slice(-63));
			statements.push({
				sql: `create index ${name} on ${catalog.table(table)} (${catalog.quote(column)})`,
				reason: `${table}.${column} is looked up by and has no index: a migration was broken off`,
			});
		}
	}
	return statements;
}
