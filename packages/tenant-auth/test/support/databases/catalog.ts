import { type Kysely, sql } from "kysely";
import type { HostDatabase, Rows } from "../worlds/instance";

interface IndexColumn {
	table: string;
	index: string;
	column: string;
}

const queries: Record<HostDatabase["type"], string> = {
	sqlite: `
		select t.name as "table", i.name as "index", c.name as "column"
		from sqlite_master t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
		where t.type = 'table' and i."unique" and not i.partial and i.origin <> 'pk'
		order by t.name, i.name, c.seqno`,
	postgres: `
		select t.relname as "table", x.relname as "index", a.attname as "column"
		from pg_index i
		join pg_class t on t.oid = i.indrelid
		join pg_class x on x.oid = i.indexrelid
		join unnest(i.indkey) with ordinality k(number, position) on true
		join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number
		where i.indisunique and not i.indisprimary and i.indpred is null
			and t.relnamespace = 'public'::regnamespace
		order by t.relname, x.relname, k.position`,
	mysql: `
		select table_name as \`table\`, index_name as \`index\`, column_name as \`column\`
		from information_schema.statistics
		where table_schema = database() and non_unique = 0 and index_name <> 'PRIMARY'
			and sub_part is null
		order by table_name, index_name, seq_in_index`,
};

/** The columns of each unique index that the database says it has, by table. */
export async function findUniqueIndexes(
	db: Kysely<Rows>,
	type: HostDatabase["type"],
): Promise<Record<string, string[][]>> {
	const { rows } = await sql.raw<IndexColumn>(queries[type]).execute(db.withoutPlugins());
	const tables: Record<string, Record<string, string[]>> = {};
	for (const { table, index, column } of rows) {
		tables[table] ??= {};
		tables[table][index] ??= [];
		tables[table][index].push(column);
	}
	return Object.fromEntries(
		Object.entries(tables).map(([table, indexes]) => [table, Object.values(indexes)]),
	);
}
