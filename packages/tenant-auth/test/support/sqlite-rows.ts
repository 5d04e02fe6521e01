import type { Instance } from "./instance";

type Sqlite = Pick<Instance, "database">;

/** Reads every row of every table. */
export function readTables({
	database,
}: Sqlite): { name: string; rows: Record<string, unknown>[] }[] {
	const names = database
		.prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
		.all() as { name: string }[];
	return names.map(({ name }) => ({
		name,
		rows: database.prepare(`select * from "${name}"`).all() as Record<string, unknown>[],
	}));
}

/** Returns a function that tells whether a row was written since its last call. */
export function watchRows({ database }: Sqlite): () => boolean {
	const count = database.prepare("select total_changes() as changes");
	const read = () => (count.get() as { changes: number }).changes;
	let last = read();
	return () => {
		const before = last;
		last = read();
		return last !== before;
	};
}

/**
 * Saves every row. The returned function restores them, which takes much less time than it takes to
 * create them.
 */
export function saveRows({ database }: Sqlite): () => void {
	const steps = readTables({ database }).flatMap(({ name, rows }) => {
		const clear = database.prepare(`delete from "${name}"`);
		return [
			() => clear.run(),
			...rows.map((row) => {
				const columns = Object.keys(row).map((column) => `"${column}"`);
				const placeholders = columns.map(() => "?").join(", ");
				const sql = `insert into "${name}" (${columns.join(", ")}) values (${placeholders})`;
				const insert = database.prepare(sql);
				return () => insert.run(...Object.values(row));
			}),
		];
	});
	const hasChanged = watchRows({ database });
	return () => {
		if (!hasChanged()) return;
		database.exec("pragma foreign_keys = off");
		for (const step of steps) step();
		database.exec("pragma foreign_keys = on");
		hasChanged();
	};
}
