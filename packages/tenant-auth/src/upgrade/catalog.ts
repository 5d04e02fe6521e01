import type { Connection, DatabaseType, HostDatabase } from "./host-database";

export interface TableIndex {
	name: string;
	unique: boolean;
	/** `null` for an expression. */
	columns: (string | null)[];
	/** Whether it has a condition. */
	partial: boolean;
	/** Whether it belongs to a constraint of the table and can only be dropped together with it. */
	ofConstraint: boolean;
	/** The statement that created it, if the database stores one. */
	definition: string;
}

export interface Column {
	name: string;
	/** As the database names it, without a length, in lowercase. */
	type: string;
	nullable: boolean;
	/** Whether it is too long for an index, such as `text` on MySQL. */
	isUnbounded: boolean;
	/** Everything after the type in the column's definition. On MySQL only. */
	attributes: string;
}

/** The schema of the live database. All names are physical names. */
export interface Catalog {
	type: DatabaseType;
	/** The schema on PostgreSQL that Better Auth's migration looks at, not the whole search path. */
	schema: string;
	/** The columns of those of the tables that exist, by one query. */
	columnsOfAll(tables: string[]): Promise<Map<string, Column[]>>;
	/** All indexes except the one of the primary key. */
	indexesOf(table: string): Promise<TableIndex[]>;
}

export async function openCatalog(
	{ type, schemaName }: Pick<HostDatabase, "type" | "schemaName">,
	connection: Connection,
): Promise<Catalog> {
	if (type === "sqlite") return sqliteCatalog(connection);
	if (type === "mysql") return mysqlCatalog(connection);
	const [current] = await connection.query("select current_schema() as schema");
	return postgresCatalog(connection, schemaName ?? String(current?.schema ?? "public"));
}

function groupByTable(columns: (Column & { table: string })[]): Map<string, Column[]> {
	const tables = new Map<string, Column[]>();
	for (const { table, ...column } of columns) {
		tables.set(table, [...(tables.get(table) ?? []), column]);
	}
	return tables;
}

const typeName = (declared: unknown) => String(declared).replace(/\(.*/, "").trim().toLowerCase();

export const literal = (value: string) => `'${value.replaceAll("'", "''")}'`;

/** A backslash in a literal of MySQL escapes the next character. */
export const mysqlLiteral = (value: string) => literal(value.replaceAll("\\", "\\\\"));

function sqliteCatalog({ query }: Connection): Catalog {
	return {
		type: "sqlite",
		schema: "main",
		columnsOfAll: async (tables) => {
			const rows = await query(`
				select list.value as owner, c.name, c.type, c."notnull" as required
				from json_each(${literal(JSON.stringify(tables))}) list join pragma_table_info(list.value) c`);
			return groupByTable(
				rows.map(({ owner, name, type, required }) => ({
					table: String(owner),
					name: String(name),
					type: typeName(type),
					nullable: Number(required) === 0,
					isUnbounded: false,
					attributes: "",
				})),
			);
		},
		indexesOf: async (table) => {
			const rows = await query(`
				select name, "unique" as single, origin, partial,
					(select sql from sqlite_master m where m.type = 'index' and m.name = list.name) as definition,
					(select json_group_array(part) from
						(select name as part from pragma_index_xinfo(list.name) where key order by seqno)
					) as columns
				from pragma_index_list(${literal(table)}) list where origin <> 'pk'`);
			return rows.map((row) => ({
				name: String(row.name),
				unique: Number(row.single) === 1,
				partial: Number(row.partial) === 1,
				ofConstraint: row.origin === "u",
				definition: String(row.definition ?? ""),
				columns: JSON.parse(String(row.columns)),
			}));
		},
	};
}

function postgresCatalog({ query }: Connection, schema: string): Catalog {
	return {
		type: "postgres",
		schema,
		columnsOfAll: async (tables) => {
			const rows = await query(`
				select t.relname as owner, a.attname as name, y.typname as type, a.attnotnull as required
				from pg_attribute a join pg_type y on y.oid = a.atttypid
				join pg_class t on t.oid = a.attrelid join pg_namespace n on n.oid = t.relnamespace
				where n.nspname = ${literal(schema)} and t.relname in (${tables.map(literal).join()})
					and t.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
				order by a.attnum`);
			return groupByTable(
				rows.map(({ owner, name, type, required }) => ({
					table: String(owner),
					name: String(name),
					type: typeName(type),
					nullable: required !== true,
					isUnbounded: false,
					attributes: "",
				})),
			);
		},
		indexesOf: async (table) => {
			const rows = await query(`
				select i.relname as name, x.indisunique as "unique", x.indpred is not null as partial,
					pg_get_indexdef(x.indexrelid) as definition,
					exists (select 1 from pg_constraint c
						where c.conindid = x.indexrelid and c.contype = 'u') as constrained,
					(select json_agg(a.attname order by k.position)
						from unnest(x.indkey) with ordinality k(number, position)
						left join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.number
						where k.position <= x.indnkeyatts)::text as columns
				from pg_index x join pg_class i on i.oid = x.indexrelid
				join pg_class t on t.oid = x.indrelid join pg_namespace n on n.oid = t.relnamespace
				where n.nspname = ${literal(schema)} and t.relname = ${literal(table)}
					and not x.indisprimary`);
			return rows.map((row) => ({
				name: String(row.name),
				unique: row.unique === true,
				partial: row.partial === true,
				ofConstraint: row.constrained === true,
				definition: String(row.definition),
				columns: JSON.parse(String(row.columns)),
			}));
		},
	};
}

function mysqlCatalog({ query }: Connection): Catalog {
	return {
		type: "mysql",
		schema: "",
		columnsOfAll: async (tables) => {
			const rows = await query(`
				select table_name as owner, column_name as name, data_type as type, is_nullable as nullable,
					character_set_name as charset, collation_name as collation
				from information_schema.columns
				where table_schema = database() and table_name in (${tables.map(mysqlLiteral).join()})
				order by ordinal_position`);
			return groupByTable(
				rows.map(({ owner, name, type, nullable, charset, collation }) => ({
					// The server may store names of tables in lowercase.
					table: tables.find((table) => table.toLowerCase() === String(owner).toLowerCase()) ?? "",
					name: String(name),
					type: typeName(type),
					nullable: nullable !== "NO",
					isUnbounded: /text$/i.test(String(type)),
					attributes: [
						charset && `character set ${charset} collate ${collation}`,
						nullable === "NO" ? "not null" : "null",
					]
						.filter(Boolean)
						.join(" "),
				})),
			);
		},
		indexesOf: async (table) => {
			const rows = await query(`
				select index_name as name, non_unique as repeats, column_name as part
				from information_schema.statistics
				where table_schema = database() and table_name = ${mysqlLiteral(table)}
					and index_name <> 'PRIMARY'
				order by index_name, seq_in_index`);
			const indexes = new Map<string, TableIndex>();
			for (const row of rows) {
				const name = String(row.name);
				const index = indexes.get(name) ?? {
					name,
					unique: Number(row.repeats) === 0,
					columns: [],
					partial: false,
					ofConstraint: false,
					definition: "",
				};
				index.columns.push(row.part === null ? null : String(row.part));
				indexes.set(name, index);
			}
			return [...indexes.values()];
		},
	};
}
