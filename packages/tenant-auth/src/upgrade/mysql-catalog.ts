import type { Catalog, TableIndex } from "./catalog";
import type { Connection } from "./host-database";

const quote = (name: string) => `\`${name.replaceAll("`", "``")}\``;
const literal = (value: string) => `'${value.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;

export async function mysqlCatalog({ query }: Connection): Promise<Catalog> {
	return {
		type: "mysql",
		quote,
		table: quote,
		columnsOf: async (table) => {
			const rows = await query(`
				select column_name as name, data_type as type, is_nullable as nullable,
					character_set_name as charset, collation_name as collation
				from information_schema.columns
				where table_schema = database() and table_name = ${literal(table)}`);
			return rows.map(({ name, type, nullable, charset, collation }) => ({
				name: String(name),
				isUnbounded: /text$/i.test(String(type)),
				attributes: [
					charset && `character set ${charset} collate ${collation}`,
					nullable === "NO" ? "not null" : "null",
				]
					.filter(Boolean)
					.join(" "),
			}));
		},
		indexesOf: async (table) => {
			const rows = await query(`
				select index_name as name, non_unique as repeats, column_name as part
				from information_schema.statistics
				where table_schema = database() and table_name = ${literal(table)}
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
		referrersOf: async (table, column) => {
			const rows = await query(`
				select distinct table_name as name from information_schema.key_column_usage
				where referenced_table_schema = database()
					and referenced_table_name = ${literal(table)}
					and referenced_column_name = ${literal(column)}`);
			return rows.map(({ name }) => String(name));
		},
	};
}
