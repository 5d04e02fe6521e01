import type { Catalog } from "./catalog";
import type { Leftover } from "./global-keys";
import type { Connection } from "./host-database";
import { rebuildSqliteTable } from "./sqlite-rebuild";
import type { Statement } from "./statement";

interface Drops {
	statements: Statement[];
	refusals: string[];
	/** Tables of SQLite that are made again. */
	rebuilt: string[];
}

/** The statements that remove what keeps a key unique across tenants. */
export async function dropLeftovers(
	catalog: Catalog,
	connection: Connection,
	leftovers: Leftover[],
): Promise<Drops> {
	const drops: Drops = { statements: [], refusals: [], rebuilt: [] };
	for (const [table, ofTable] of groupByTable(leftovers)) {
		for (const { key } of ofTable) drops.refusals.push(...(await refuseReferrers(catalog, key)));
		const constraints = ofTable.filter(({ index }) => index.ofConstraint);
		const isRebuild = catalog.type === "sqlite" && constraints.length > 0;
		if (isRebuild) {
			const statements = await rebuildSqliteTable(
				connection,
				table,
				constraints.map(({ index }) => index),
			);
			if (statements === null) {
				drops.refusals.push(
					`The unique constraint in the definition of ${table} could not be read`,
				);
				continue;
			}
			drops.rebuilt.push(table);
			const reason = `${reasonFor(constraints[0])}; SQLite drops no constraint, so the table is made again`;
			drops.statements.push(...statements.map((sql) => ({ sql, reason })));
		}
		for (const leftover of ofTable) {
			if (isRebuild && leftover.index.ofConstraint) continue;
			drops.statements.push({ sql: dropping(catalog, leftover), reason: reasonFor(leftover) });
		}
	}
	return drops;
}

function dropping({ type, quote, table }: Catalog, { key, index }: Leftover): string {
	const name = quote(index.name);
	if (type === "mysql") return `alter table ${table(key.table)} drop index ${name}`;
	if (index.ofConstraint) return `alter table ${table(key.table)} drop constraint ${name}`;
	// On PostgreSQL an index lives in its table's schema.
	return `drop index ${type === "postgres" ? table(index.name) : name}`;
}

const reasonFor = (leftover: Leftover | undefined) =>
	`${leftover?.index.name} keeps ${leftover?.key.what} unique across all tenants`;

async function refuseReferrers(
	catalog: Catalog,
	{ table, column, what }: Leftover["key"],
): Promise<string[]> {
	const referrers = await catalog.referrersOf(table, column);
	return referrers.map(
		(referrer) =>
			`${referrer} has a foreign key to ${table}.${column}, but ${what} will no longer name one row: let it refer to ${table}.id first`,
	);
}

function groupByTable(leftovers: Leftover[]): Map<string, Leftover[]> {
	const groups = new Map<string, Leftover[]>();
	for (const leftover of leftovers) {
		const { table } = leftover.key;
		groups.set(table, [...(groups.get(table) ?? []), leftover]);
	}
	return groups;
}
