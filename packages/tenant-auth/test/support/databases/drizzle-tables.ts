import { getTableColumns, getTableName, is, SQL, type Table } from "drizzle-orm";
import { getTableConfig as getPgConfig, PgDialect, PgTable } from "drizzle-orm/pg-core";
import {
	getTableConfig as getSqliteConfig,
	SQLiteSyncDialect,
	SQLiteTable,
} from "drizzle-orm/sqlite-core";

type Column = ReturnType<typeof getTableColumns>[string];

/** The statements that make the tables of a Drizzle schema, as Drizzle's own kit would push them. */
export function createTables(schema: Record<string, unknown>): string[] {
	const tables = Object.values(schema).filter(
		(it): it is PgTable | SQLiteTable => is(it, PgTable) || is(it, SQLiteTable),
	);
	return [...tables.map(createTable), ...tables.flatMap(createIndexes), ...tables.flatMap(addKeys)];
}

const quoted = (name: string) => `"${name}"`;
const listed = (columns: readonly { name: string }[]) =>
	columns.map(({ name }) => quoted(name)).join(", ");

const configOf = (table: PgTable | SQLiteTable) =>
	is(table, PgTable) ? getPgConfig(table) : getSqliteConfig(table as SQLiteTable);

function createTable(table: PgTable | SQLiteTable): string {
	const lines = Object.values(getTableColumns(table)).map((column) => columnLine(table, column));
	// SQLite takes foreign keys with the table only.
	if (is(table, SQLiteTable)) lines.push(...foreignKeysOf(table));
	return `create table ${quoted(getTableName(table))} (${lines.join(", ")})`;
}

function columnLine(table: Table, column: Column): string {
	return [
		quoted(column.name),
		column.getSQLType(),
		column.primary && "primary key",
		column.notNull && "not null",
		column.isUnique && "unique",
		column.default !== undefined && `default ${defaultOf(table, column.default)}`,
	]
		.filter(Boolean)
		.join(" ");
}

function defaultOf(table: Table, value: unknown): string {
	if (is(value, SQL)) {
		const dialect = is(table, PgTable) ? new PgDialect() : new SQLiteSyncDialect();
		return dialect.sqlToQuery(value).sql;
	}
	if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
	return String(is(table, SQLiteTable) && typeof value === "boolean" ? Number(value) : value);
}

function createIndexes(table: PgTable | SQLiteTable): string[] {
	return configOf(table).indexes.map(({ config }) => {
		const kind = config.unique ? "unique index" : "index";
		const columns = listed(config.columns as { name: string }[]);
		return `create ${kind} ${quoted(String(config.name))} on ${quoted(getTableName(table))} (${columns})`;
	});
}

function foreignKeysOf(table: PgTable | SQLiteTable): string[] {
	return configOf(table).foreignKeys.map((key) => {
		const { columns, foreignColumns, foreignTable } = key.reference();
		return `foreign key (${listed(columns)}) references ${quoted(getTableName(foreignTable))} (${listed(foreignColumns)}) on delete ${key.onDelete ?? "no action"}`;
	});
}

/** Once all tables are there. */
function addKeys(table: PgTable | SQLiteTable): string[] {
	if (!is(table, PgTable)) return [];
	return foreignKeysOf(table).map((key) => `alter table ${quoted(getTableName(table))} add ${key}`);
}
