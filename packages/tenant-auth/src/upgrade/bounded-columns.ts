import type { Catalog } from "./catalog";
import type { Connection } from "./host-database";
import type { TenantIndex } from "./missing-indexes";
import type { Statement } from "./statement";

/** The length of what MySQL may index: thrice this and the tenant stay under 3,072 bytes. */
const BOUND = 255;

export interface Bounding {
	statements: Statement[];
	refusals: string[];
	/** Made after Better Auth's own statements, which bring the column of the tenant. */
	indexes: Statement[];
	models: string[];
}

/**
 * On MySQL Better Auth's ids of providers and accounts are `text`, which is too long for a unique
 * index, and on tables that exist it makes none. They are bounded first, where every value fits.
 */
export async function boundColumns(
	catalog: Catalog,
	{ query }: Connection,
	missing: TenantIndex[],
): Promise<Bounding> {
	const bounding: Bounding = { statements: [], refusals: [], indexes: [], models: [] };
	for (const { model, table, name, columns, present } of missing) {
		const unbounded = present.filter(({ isUnbounded }) => isUnbounded);
		if (unbounded.length === 0) continue;
		for (const column of unbounded) {
			const id = catalog.quote(column.name);
			const [counted] = await query(
				`select count(*) as n from ${catalog.table(table)} where char_length(${id}) > ${BOUND}`,
			);
			if (Number(counted?.n) > 0) {
				bounding.refusals.push(
					`${table}.${column.name} has to fit into varchar(${BOUND}) for a unique index, and ${counted?.n} of its values are longer`,
				);
			}
			const fallback = column.name === columns[0] ? " default ''" : "";
			bounding.statements.push({
				sql: `alter table ${catalog.table(table)} modify column ${id} varchar(${BOUND}) ${column.attributes}${fallback}`,
				reason: `${table}.${column.name} is text, which no unique index takes`,
			});
		}
		bounding.models.push(model);
		bounding.indexes.push({
			sql: `create unique index ${catalog.quote(name)} on ${catalog.table(table)} (${columns.map(catalog.quote).join(", ")})`,
			reason: `${columns.slice(1).join(" and ")} are unique per tenant from now on`,
		});
	}
	return bounding;
}
