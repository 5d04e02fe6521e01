import type { Catalog } from "./catalog";
import type { Connection } from "./host-database";
import type { TenantIndex } from "./missing-indexes";
import type { Statement } from "./statement";

/** With the tenant and another of this length it stays under MySQL's 3,072 bytes for a key. */
const BOUND = 255;

export interface Bounding {
	statements: Statement[];
	refusals: string[];
	/** Made after Better Auth's own statements, which bring the column of the tenant. */
	indexes: Statement[];
	/** Those whose indexes are ours to make. */
	models: string[];
}

/**
 * On MySQL Better Auth's ids of providers and accounts are `text`, which is too long for an index, and
 * on tables that exist it makes none. They are bounded first, where every value fits.
 */
export async function boundColumns(
	catalog: Catalog,
	connection: Connection,
	missing: TenantIndex[],
): Promise<Bounding> {
	const unbounded = missing.filter(({ present }) => present.some((it) => it.isUnbounded));
	const models = [...new Set(unbounded.map(({ model }) => model))];
	const bounding: Bounding = {
		statements: [],
		refusals: [],
		indexes: missing
			.filter(({ model }) => models.includes(model))
			.map((it) => creation(catalog, it)),
		models,
	};
	for (const { table, columns, present } of unbounded) {
		for (const column of present.filter(({ isUnbounded }) => isUnbounded)) {
			const id = catalog.quote(column.name);
			bounding.refusals.push(...(await refuseLongValues(catalog, connection, table, column.name)));
			const byDefault = column.name === columns[0] ? " default ''" : "";
			bounding.statements.push({
				sql: `alter table ${catalog.table(table)} modify column ${id} varchar(${BOUND}) ${column.attributes}${byDefault}`,
				reason: `${table}.${column.name} is text, which no index takes as a whole`,
			});
		}
	}
	return bounding;
}

async function refuseLongValues(
	catalog: Catalog,
	{ query }: Connection,
	table: string,
	column: string,
): Promise<string[]> {
	const [counted] = await query(
		`select count(*) as n from ${catalog.table(table)} where char_length(${catalog.quote(column)}) > ${BOUND}`,
	);
	const count = Number(counted?.n ?? 0);
	if (count === 0) return [];
	return [
		`${table}.${column} has to fit into varchar(${BOUND}) for an index, and ${count} of its values are longer`,
	];
}

function creation(catalog: Catalog, { table, name, columns, unique }: TenantIndex): Statement {
	const list = columns.map(catalog.quote).join(", ");
	return {
		sql: `create ${unique ? "unique index" : "index"} ${catalog.quote(name)} on ${catalog.table(table)} (${list})`,
		reason: unique
			? `${columns.slice(1).join(" and ")} are unique per tenant from now on`
			: `rows of ${table} are looked up by tenant`,
	};
}
