import { Pool } from "pg";
import type { Value } from "./tables";
import type { Writer } from "./writer";

/** One statement with an array for each column; indexes and foreign keys are made afterwards. */
export async function openPostgresWriter(address: string): Promise<Writer> {
	const pool = new Pool({ connectionString: address, max: 1 });
	await pool.query("set synchronous_commit = off");
	await pool.query("set maintenance_work_mem = '256MB'");
	const keys = await pool.query<{ table: string; name: string; definition: string }>(
		`select conrelid::regclass::text as "table", conname as name,
			pg_get_constraintdef(oid) as definition
		from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
	);
	const indexes = await pool.query<{ name: string; definition: string }>(
		`select indexname as name, indexdef as definition from pg_indexes
		where schemaname = 'public' and indexname not in (select conname from pg_constraint)`,
	);
	for (const { table, name } of keys.rows) {
		await pool.query(`alter table ${table} drop constraint "${name}"`);
	}
	for (const { name } of indexes.rows) await pool.query(`drop index "${name}"`);

	return {
		async write(table, columns, rows) {
			const names = columns.map((column) => `"${column}"`).join(", ");
			const parameters = (rows[0] ?? [])
				.map((value, index) => `$${index + 1}::${arrayType(value)}`)
				.join(", ");
			await pool.query(
				`insert into "${table}" (${names}) select * from unnest(${parameters})`,
				columns.map((_, index) => rows.map((row) => row[index])),
			);
		},
		async finish() {
			for (const { definition } of indexes.rows) await pool.query(definition);
			for (const { table, name, definition } of keys.rows) {
				await pool.query(`alter table ${table} add constraint "${name}" ${definition}`);
			}
			await pool.query("vacuum analyze");
			await pool.query("checkpoint");
			await pool.end();
		},
	};
}

function arrayType(value: Value): string {
	if (value instanceof Date) return "timestamptz[]";
	return typeof value === "boolean" ? "boolean[]" : "text[]";
}
