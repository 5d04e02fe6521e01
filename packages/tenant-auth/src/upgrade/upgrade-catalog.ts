import { type Catalog, type Column, literal, mysqlLiteral, openCatalog } from "./catalog";
import type { Connection, HostDatabase } from "./host-database";

/** A catalog for statements: what a plan of an upgrade needs, beside the check at the start. */
export interface UpgradeCatalog extends Catalog {
	/** Quotes a table's name, with its schema on PostgreSQL. */
	table(name: string): string;
	quote(name: string): string;
	literal(value: string): string;
	/** Empty if the table does not exist. */
	columnsOf(table: string): Promise<Column[]>;
	/** The tables that have a foreign key to the column. */
	referrersOf(table: string, column: string): Promise<string[]>;
}

export async function openUpgradeCatalog(
	database: Pick<HostDatabase, "type" | "schemaName">,
	connection: Connection,
): Promise<UpgradeCatalog> {
	const catalog = await openCatalog(database, connection);
	const isMysql = catalog.type === "mysql";
	const quote = isMysql ? backtick : doubleQuote;
	return {
		...catalog,
		quote,
		table: (name) =>
			catalog.type === "postgres" ? `${quote(catalog.schema)}.${quote(name)}` : quote(name),
		literal: isMysql ? mysqlLiteral : literal,
		columnsOf: async (table) => (await catalog.columnsOfAll([table])).get(table) ?? [],
		referrersOf: async (table, column) => {
			const rows = await connection.query(referrers(catalog, table, column));
			return rows.map(({ name }) => String(name));
		},
	};
}

/** Quotes a name on SQLite and PostgreSQL. */
export const doubleQuote = (name: string) => `"${name.replaceAll('"', '""')}"`;

const backtick = (name: string) => `\`${name.replaceAll("`", "``")}\``;

function referrers({ type, schema }: Catalog, table: string, column: string): string {
	switch (type) {
		case "sqlite":
			return `
				select distinct m.name from sqlite_master m join pragma_foreign_key_list(m.name) f
				where m.type = 'table' and lower(f."table") = lower(${literal(table)})
					and lower(f."to") = lower(${literal(column)})`;
		case "postgres":
			return `
				select distinct c.conrelid::regclass::text as name from pg_constraint c
				join pg_class t on t.oid = c.confrelid join pg_namespace n on n.oid = t.relnamespace
				join pg_attribute a on a.attrelid = t.oid and a.attnum = any(c.confkey)
				where c.contype = 'f' and n.nspname = ${literal(schema)} and t.relname = ${literal(table)}
					and a.attname = ${literal(column)}`;
		case "mysql":
			return `
				select distinct table_name as name from information_schema.key_column_usage
				where referenced_table_schema = database()
					and referenced_table_name = ${mysqlLiteral(table)}
					and referenced_column_name = ${mysqlLiteral(column)}`;
	}
}
