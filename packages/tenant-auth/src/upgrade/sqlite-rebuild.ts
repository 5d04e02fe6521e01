import type { TableIndex } from "./catalog";
import type { Connection, Row } from "./host-database";
import { literal } from "./sql-text";
import { quoteForSqlite as quote } from "./sqlite-catalog";
import { createWithoutUnique } from "./sqlite-create-table";

/**
 * The statements that make a table again without some of its unique constraints, as SQLite's
 * documentation has it (https://www.sqlite.org/lang_altertable.html#otheralter): make a new one, copy,
 * drop, rename, and give it its indexes and triggers back. `null` where the constraint is not found in
 * the text of the table.
 */
export async function rebuildSqliteTable(
	{ query }: Connection,
	table: string,
	constraints: TableIndex[],
): Promise<string[] | null> {
	const [found] = await query(
		`select sql from sqlite_master where type = 'table' and name = ${literal(table)}`,
	);
	const temporary = `${table}_rebuilt`;
	let create: string | null = String(found?.sql ?? "");
	for (const { columns } of constraints) {
		create = create && createWithoutUnique(create, columns.map(String), quote(temporary));
	}
	if (!create) return null;
	const columns = (await columnsToCopy(query, table)).map(quote).join(", ");
	const attached = await query(
		`select sql from sqlite_master where tbl_name = ${literal(table)} and type in ('index', 'trigger')
			and sql is not null order by type, rowid`,
	);
	return [
		create,
		`insert into ${quote(temporary)} (${columns}) select ${columns} from ${quote(table)}`,
		...(/\bautoincrement\b/i.test(create) ? carryCounter(table, temporary) : []),
		`drop table ${quote(table)}`,
		`alter table ${quote(temporary)} rename to ${quote(table)}`,
		...attached.map(({ sql }) => String(sql)),
	];
}

/** Generated columns fill themselves. The row's number goes along, since others may refer to it. */
async function columnsToCopy(query: Connection["query"], table: string): Promise<string[]> {
	const columns = await query(
		`select name, type, pk from pragma_table_xinfo(${literal(table)}) where hidden = 0`,
	);
	const names = columns.map(({ name }) => String(name));
	const [{ bare } = { bare: 0 }] = await query(
		`select wr as bare from pragma_table_list where schema = 'main' and name = ${literal(table)}`,
	);
	const isNumbered = ({ type, pk }: Row) => Number(pk) > 0 && /^integer$/i.test(String(type));
	const hasOwn = names.some((name) => name.toLowerCase() === "rowid") || columns.some(isNumbered);
	return Number(bare) === 1 || hasOwn ? names : ["rowid", ...names];
}

/** Ids that were given out once stay used, also those of deleted rows at the end. */
function carryCounter(table: string, temporary: string): string[] {
	return [
		`delete from sqlite_sequence where name = ${literal(temporary)}`,
		`insert into sqlite_sequence (name, seq) select ${literal(temporary)}, seq from sqlite_sequence where name = ${literal(table)}`,
	];
}
