import { BetterAuthError } from "@better-auth/core/error";
import { literal, type TableIndex } from "./catalog";
import type { Connection, Row } from "./host-database";
import { createWithoutUnique } from "./sql-parser";
import type { Statement } from "./statements";
import { doubleQuote as quote } from "./upgrade-catalog";

export interface Rebuild {
	/** Tables that are created again. */
	tables: string[];
	droppedIndexes: string[];
	droppedColumns: { table: string; name: string }[];
}

/** Settings of the connection, made before the transaction and undone after it. */
export interface RebuildSettings {
	before: Statement[];
	after: Statement[];
}

/**
 * Returns the statements that create a table again without some of its unique constraints, as SQLite
 * documents it (https://www.sqlite.org/lang_altertable.html#otheralter): create a new table, copy, drop
 * the old one, rename, and create its indexes and triggers again. Returns `null` if a constraint is not
 * found in the table's definition.
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
		...(/\bautoincrement\b/i.test(create) ? copyCounter(table, temporary) : []),
		`drop table ${quote(table)}`,
		`alter table ${quote(temporary)} rename to ${quote(table)}`,
		...attached.map(({ sql }) => String(sql)),
	];
}

/** Generated columns cannot be copied. The rowid is copied, because other tables may refer to it. */
async function columnsToCopy(query: Connection["query"], table: string): Promise<string[]> {
	const columns = await query(
		`select name, type, pk from pragma_table_xinfo(${literal(table)}) where hidden = 0`,
	);
	const names = columns.map(({ name }) => String(name));
	const [{ bare } = { bare: 0 }] = await query(
		`select wr as bare from pragma_table_list where schema = 'main' and name = ${literal(table)}`,
	);
	const isRowid = ({ type, pk }: Row) => Number(pk) > 0 && /^integer$/i.test(String(type));
	const hasOwn = names.some((name) => name.toLowerCase() === "rowid") || columns.some(isRowid);
	return Number(bare) === 1 || hasOwn ? names : ["rowid", ...names];
}

/** Keeps the counter, so that the ids of deleted rows are not used again. */
function copyCounter(table: string, temporary: string): string[] {
	return [
		`delete from sqlite_sequence where name = ${literal(temporary)}`,
		`insert into sqlite_sequence (name, seq) select ${literal(temporary)}, seq from sqlite_sequence where name = ${literal(table)}`,
	];
}

/** Returns the settings that a rebuild needs. SQLite does not change them inside a transaction. */
export async function settingsForRebuild(
	{ query }: Connection,
	tables: string[],
): Promise<RebuildSettings> {
	const before: Statement[] = [];
	const after: Statement[] = [];
	const set = async (pragma: string, wanted: 0 | 1, reason: string) => {
		const [row] = await query(`select ${pragma} as value from pragma_${pragma}`).catch(() => []);
		const current = Number(row?.value ?? 1 - wanted);
		if (current === wanted) return;
		before.push({ sql: `pragma ${pragma} = ${wanted}`, reason });
		after.unshift({ sql: `pragma ${pragma} = ${current}`, reason: "restore the setting" });
	};
	if (tables.length > 0) {
		await set("foreign_keys", 0, "dropping the old table must not delete rows that refer to it");
		await set("legacy_alter_table", 1, "views and triggers that name the table must not change");
	}
	return { before, after };
}

/** What a rebuild must not change. */
interface Inventory {
	/** Rows per table. Dropping a table with foreign keys on deletes rows of other tables. */
	rows: Map<string, number>;
	/** Columns per rebuilt table, with everything that SQLite knows about them. */
	columns: Map<string, { name: string; definition: string }[]>;
	/** Tables, views, triggers and named indexes. */
	names: Set<string>;
	/** Rows whose foreign key matches nothing. There may have been some before. */
	orphans: number;
}

/**
 * Compares the database before and after `work`, inside the transaction that rebuilds tables. Throws if
 * something is missing, so that the transaction is rolled back.
 */
export async function guardRebuild(
	connection: Connection,
	{ tables, droppedIndexes, droppedColumns }: Rebuild,
	work: () => Promise<void>,
): Promise<void> {
	if (tables.length === 0) return work();
	const before = await takeInventory(connection, tables);
	await work();
	const after = await takeInventory(connection, tables);
	const isDropped = (table: string, column: string) =>
		droppedColumns.some((it) => it.table === table && it.name === column);
	const losses = [
		...[...before.names].filter((name) => !after.names.has(name) && !droppedIndexes.includes(name)),
		...[...before.rows]
			.filter(([table, count]) => after.rows.get(table) !== count)
			.map(([table]) => table),
		...tables.filter((table) => {
			const now = after.columns.get(table) ?? [];
			const kept = before.columns.get(table)?.filter(({ name }) => !isDropped(table, name));
			return kept?.some(({ definition }, at) => now[at]?.definition !== definition);
		}),
		...(after.orphans > before.orphans ? ["foreign keys"] : []),
	];
	if (losses.length === 0) return;
	throw new BetterAuthError(
		`The upgrade would have changed or lost something in ${losses.join(", ")}. Nothing was changed`,
	);
}

async function takeInventory({ query }: Connection, rebuilt: string[]): Promise<Inventory> {
	const objects = await query(
		"select type, name from sqlite_master where name not like 'sqlite\\_%' escape '\\'",
	);
	const tables = objects.filter(({ type }) => type === "table").map(({ name }) => String(name));
	const parents = rebuilt.map(literal).join(", ");
	const referrers = await query(`
		select distinct m.name from sqlite_master m join pragma_foreign_key_list(m.name) f
		where m.type = 'table' and f."table" collate nocase in (${parents})`);
	const affected = new Set([...rebuilt, ...referrers.map(({ name }) => String(name))]);
	const rows = new Map<string, number>();
	for (const table of tables.filter((it) => affected.has(it))) {
		const [counted] = await query(`select count(*) as rows from ${quote(table)}`);
		rows.set(table, Number(counted?.rows));
	}
	const columns: Inventory["columns"] = new Map();
	for (const table of rebuilt) {
		const found = await query(
			`select name, type, "notnull", dflt_value, pk, hidden from pragma_table_xinfo(${literal(table)})`,
		);
		columns.set(
			table,
			found.map((it) => ({ name: String(it.name), definition: JSON.stringify(it) })),
		);
	}
	const orphans = (await query("select 1 from pragma_foreign_key_check")).length;
	return { rows, columns, orphans, names: new Set(objects.map(({ name }) => String(name))) };
}
