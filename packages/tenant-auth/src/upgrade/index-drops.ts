import type { Connection } from "./host-database";
import { nameIn, tokensOf } from "./sql-parser";
import { rebuildSqliteTable } from "./sqlite-rebuild";
import { type GlobalKey, hasOnly, type UniqueIndex } from "./stale-indexes";
import type { Statement } from "./statements";
import type { UpgradeCatalog } from "./upgrade-catalog";

/**
 * Whether an index may keep a key unique across tenants under a condition or over an expression. The app
 * created it for its own reasons.
 */
export function isAmbiguous({ key, index }: UniqueIndex): boolean {
	const { columns, partial, definition } = index;
	if (
		!hasOnly(
			key,
			columns.filter((it) => it !== null),
		)
	)
		return false;
	if (columns.includes(key.column)) return partial || columns.includes(null);
	return columns.includes(null) && tokensOf(definition).some((it) => nameIn(it) === key.column);
}

interface IndexDrops {
	statements: Statement[];
	blockers: string[];
	/** SQLite tables that are created again without the constraint. */
	rebuilt: string[];
}

/** Plans the statements that drop stale indexes. */
export async function planIndexDrops(
	catalog: UpgradeCatalog,
	connection: Connection,
	stale: UniqueIndex[],
): Promise<IndexDrops> {
	const drops: IndexDrops = { statements: [], blockers: [], rebuilt: [] };
	for (const [table, ofTable] of groupByTable(stale)) {
		for (const { key } of ofTable) drops.blockers.push(...(await findReferrers(catalog, key)));
		const constraints = ofTable.filter(({ index }) => index.ofConstraint);
		const [first] = constraints;
		const isRebuilt = catalog.type === "sqlite" && first !== undefined;
		if (isRebuilt) {
			const statements = await rebuildSqliteTable(
				connection,
				table,
				constraints.map(({ index }) => index),
			);
			if (statements === null) {
				drops.blockers.push(
					`The unique constraint was not found in the statement that created the table ${table}`,
				);
				continue;
			}
			drops.rebuilt.push(table);
			const reason = `${reasonFor(first)}. SQLite cannot drop a constraint, so the table is created again`;
			drops.statements.push(...statements.map((sql) => ({ sql, reason })));
		}
		for (const it of ofTable) {
			if (isRebuilt && it.index.ofConstraint) continue;
			drops.statements.push({ sql: dropIndex(catalog, it), reason: reasonFor(it) });
		}
	}
	return drops;
}

function dropIndex({ type, quote, table }: UpgradeCatalog, { key, index }: UniqueIndex): string {
	const name = quote(index.name);
	if (type === "mysql") return `alter table ${table(key.table)} drop index ${name}`;
	if (index.ofConstraint) return `alter table ${table(key.table)} drop constraint ${name}`;
	// On PostgreSQL an index is in the schema of its table.
	return `drop index ${type === "postgres" ? table(index.name) : name}`;
}

const reasonFor = ({ index, key }: UniqueIndex) =>
	`${index.name} keeps ${key.what} unique across all tenants`;

async function findReferrers(
	catalog: UpgradeCatalog,
	{ table, column, what }: GlobalKey,
): Promise<string[]> {
	const referrers = await catalog.referrersOf(table, column);
	return referrers.map(
		(referrer) =>
			`${referrer} has a foreign key to ${table}.${column}, but ${what} will no longer identify one row. Let it reference ${table}.id first`,
	);
}

function groupByTable(stale: UniqueIndex[]): Map<string, UniqueIndex[]> {
	const groups = new Map<string, UniqueIndex[]>();
	for (const it of stale) {
		const { table } = it.key;
		groups.set(table, [...(groups.get(table) ?? []), it]);
	}
	return groups;
}
