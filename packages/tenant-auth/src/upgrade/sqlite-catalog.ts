import type { Catalog } from "./catalog";
import type { Connection } from "./host-database";
import { literal } from "./sql-text";

export const quoteForSqlite = (name: string) => `"${name.replaceAll('"', '""')}"`;

export async function sqliteCatalog({ query }: Connection): Promise<Catalog> {
	return {
		type: "sqlite",
		quote: quoteForSqlite,
		table: quoteForSqlite,
		columnsOf: async (table) => {
			const rows = await query(`select name from pragma_table_info(${literal(table)})`);
			return rows.map(({ name }) => ({ name: String(name), isUnbounded: false, attributes: "" }));
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
		referrersOf: async (table, column) => {
			const rows = await query(`
				select distinct m.name from sqlite_master m join pragma_foreign_key_list(m.name) f
				where m.type = 'table' and lower(f."table") = lower(${literal(table)})
					and lower(f."to") = lower(${literal(column)})`);
			return rows.map(({ name }) => String(name));
		},
	};
}
