import type { Catalog } from "./catalog";
import type { Connection } from "./host-database";
import { literal } from "./sql-text";

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

export async function postgresCatalog(
	{ query }: Connection,
	schemaName: string | undefined,
): Promise<Catalog> {
	// Better Auth's migrations look there, too, and nowhere else in the search path.
	const [current] = await query("select current_schema() as schema");
	const schema = schemaName ?? String(current?.schema ?? "public");
	const tableIs = (table: string) =>
		`n.nspname = ${literal(schema)} and t.relname = ${literal(table)}`;
	return {
		type: "postgres",
		quote,
		table: (name) => `${quote(schema)}.${quote(name)}`,
		columnsOf: async (table) => {
			const rows = await query(`
				select a.attname as name from pg_attribute a
				join pg_class t on t.oid = a.attrelid join pg_namespace n on n.oid = t.relnamespace
				where ${tableIs(table)} and t.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`);
			return rows.map(({ name }) => ({ name: String(name), isUnbounded: false, attributes: "" }));
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
				where ${tableIs(table)} and not x.indisprimary`);
			return rows.map((row) => ({
				name: String(row.name),
				unique: row.unique === true,
				partial: row.partial === true,
				ofConstraint: row.constrained === true,
				definition: String(row.definition),
				columns: JSON.parse(String(row.columns)),
			}));
		},
		referrersOf: async (table, column) => {
			const rows = await query(`
				select distinct c.conrelid::regclass::text as name from pg_constraint c
				join pg_class t on t.oid = c.confrelid join pg_namespace n on n.oid = t.relnamespace
				join pg_attribute a on a.attrelid = t.oid and a.attnum = any(c.confkey)
				where c.contype = 'f' and ${tableIs(table)} and a.attname = ${literal(column)}`);
			return rows.map(({ name }) => String(name));
		},
	};
}
