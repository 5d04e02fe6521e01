import { BetterAuthError } from "@better-auth/core/error";
import type { Connection } from "./host-database";
import { literal } from "./sql-text";
import { quoteForSqlite as quote } from "./sqlite-catalog";

/** What the rebuilding of tables must leave as it is. */
interface Holdings {
	/** Rows per table: to drop a table while foreign keys are obeyed deletes those of others. */
	rows: Map<string, number>;
	/** Columns per rebuilt table, with everything that SQLite knows of them. */
	columns: Map<string, string[]>;
	/** Tables, views, triggers and named indexes. */
	names: Set<string>;
	/** Rows whose foreign keys lead nowhere; a host may have had some before. */
	strays: number;
}

/**
 * Looks before and after, inside the transaction that rebuilds tables, and throws where anything is
 * missing, so that the transaction is rolled back.
 */
export async function guardSqlite(
	connection: Connection,
	{ rebuilt, dropped }: { rebuilt: string[]; dropped: string[] },
	work: () => Promise<void>,
): Promise<void> {
	const before = await takeStock(connection, rebuilt);
	await work();
	const after = await takeStock(connection, rebuilt);
	const losses = [
		...[...before.names].filter((name) => !after.names.has(name) && !dropped.includes(name)),
		...[...before.rows]
			.filter(([table, count]) => after.rows.get(table) !== count)
			.map(([it]) => it),
		...rebuilt.filter((table) => {
			const now = after.columns.get(table) ?? [];
			return before.columns.get(table)?.some((column, at) => now[at] !== column);
		}),
		...(after.strays > before.strays ? ["foreign keys"] : []),
	];
	if (losses.length === 0) return;
	throw new BetterAuthError(
		`The upgrade would have changed or lost something of ${losses.join(", ")}; nothing was changed`,
	);
}

async function takeStock({ query }: Connection, rebuilt: string[]): Promise<Holdings> {
	const things = await query(
		"select type, name from sqlite_master where name not like 'sqlite\\_%' escape '\\'",
	);
	const tables = things.filter(({ type }) => type === "table").map(({ name }) => String(name));
	const parents = rebuilt.map(literal).join(", ");
	const concerned = new Set([
		...rebuilt,
		...(
			await query(`
				select distinct m.name from sqlite_master m join pragma_foreign_key_list(m.name) f
				where m.type = 'table' and f."table" collate nocase in (${parents})`)
		).map(({ name }) => String(name)),
	]);
	const rows = new Map<string, number>();
	for (const table of tables.filter((it) => concerned.has(it))) {
		const [counted] = await query(`select count(*) as rows from ${quote(table)}`);
		rows.set(table, Number(counted?.rows));
	}
	const columns = new Map<string, string[]>();
	for (const table of rebuilt) {
		const found = await query(
			`select name, type, "notnull", dflt_value, pk, hidden from pragma_table_xinfo(${literal(table)})`,
		);
		columns.set(
			table,
			found.map((column) => JSON.stringify(column)),
		);
	}
	const strays = (await query("select 1 from pragma_foreign_key_check")).length;
	return { rows, columns, strays, names: new Set(things.map(({ name }) => String(name))) };
}
