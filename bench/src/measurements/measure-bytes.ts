import { sql } from "kysely";
import { type OpenDatabase, openDatabase } from "../host/database";
import { seedDatabase } from "../seeding/seed-database";
import type { Measurement, Run } from "../setup/measurement";

interface TableBytes {
	table: string;
	rows: number;
	/** Of the rows themselves. */
	heap: number;
	indexes: Record<string, number>;
}

const USER_AGENT =
	"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/** How many bytes a tenant, a user, an account and a session take on PostgreSQL, with their indexes. */
export const bytes: Measurement<TableBytes[]> = {
	name: "bytes",
	async measure(run) {
		if (!run.scratch.types.includes("postgres")) return [];
		const database = openDatabase(await fill(run));
		const tables = await readSizes(database);
		await database.close();
		return tables;
	},
	tables: (tables) => [
		{
			title: "Bytes per row on PostgreSQL",
			columns: ["table", "rows", "bytes of a row", "of its indexes", "together", "each index"],
			rows: tables.map(({ table, rows, heap, indexes }) => {
				const each = Object.entries(indexes).map(([name, size]): [string, number] => [
					name.replace(`${table}_`, ""),
					size / rows,
				]);
				const ofIndexes = each.reduce((sum, [, size]) => sum + size, 0);
				return [
					table,
					rows,
					Math.round(heap / rows),
					Math.round(ofIndexes),
					Math.round(heap / rows + ofIndexes),
					each.map(([name, size]) => `${name} ${Math.round(size)}`).join(", "),
				];
			}),
		},
	],
};

/** With a real password hash, and sessions as browsers make them. */
async function fill({ scratch, quick }: Run): Promise<string> {
	const address = await scratch.create("postgres");
	const users = quick ? 2000 : 100_000;
	await seedDatabase({ address, tenants: users / 10, users, hash: "scrypt" });
	const { db, close } = openDatabase(address);
	await db
		.updateTable("session")
		.set({ ipAddress: "203.0.113.195", userAgent: USER_AGENT })
		.execute();
	// Rows with the same time would share an entry of an index.
	for (const table of ["user", "session"]) {
		await sql`update ${sql.table(table)}
			set "createdAt" = now() - random() * interval '1 year'`.execute(db);
	}
	// Writes the tables and the indexes again, without the old versions of the sessions.
	await sql`vacuum full analyze`.execute(db);
	await close();
	return address;
}

async function readSizes({ db }: OpenDatabase): Promise<TableBytes[]> {
	const tables: TableBytes[] = [];
	for (const table of ["tenant", "tenantOauthConfig", "user", "account", "session"]) {
		const name = `"${table}"`;
		const { rows: counted } = await sql<{ rows: string; heap: string }>`
			select count(*) as rows, pg_table_size(${name}::regclass) as heap
			from ${sql.table(table)}`.execute(db);
		const { rows: indexes } = await sql<{ name: string; size: string }>`
			select relname as name, pg_relation_size(indexrelid) as size
			from pg_index join pg_class on pg_class.oid = indexrelid
			where indrelid = ${name}::regclass order by 1`.execute(db);
		tables.push({
			table,
			rows: Number(counted[0]?.rows),
			heap: Number(counted[0]?.heap),
			indexes: Object.fromEntries(indexes.map((it) => [it.name, Number(it.size)])),
		});
	}
	return tables;
}
