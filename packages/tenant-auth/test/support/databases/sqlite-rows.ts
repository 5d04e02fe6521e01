import type { Instance } from "../worlds/instance";

type Sqlite = Pick<Instance, "database">;

/** Reads every row of every table. */
export function readTables(sqlite: Sqlite): { name: string; rows: Record<string, unknown>[] }[] {
	return namesOfTables(sqlite).map((name) => ({
		name,
		rows: prepare(sqlite, `select * from "${name}"`).all() as Record<string, unknown>[],
	}));
}

function namesOfTables(sqlite: Sqlite): string[] {
	const sql = "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'";
	return (prepare(sqlite, sql).all() as { name: string }[]).map(({ name }) => name);
}

type Statements = Map<string, ReturnType<Sqlite["database"]["prepare"]>>;

const prepared = new WeakMap<Sqlite["database"], Statements>();

/** Prepares a statement once for a database. Tests read the same tables after each call. */
function prepare({ database }: Sqlite, sql: string) {
	const statements: Statements = prepared.get(database) ?? new Map();
	prepared.set(database, statements);
	const statement = statements.get(sql) ?? database.prepare(sql);
	statements.set(sql, statement);
	return statement;
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

let saved = 0;

/**
 * Saves every row. The returned function restores them, which takes much less time than it takes to
 * create them.
 */
export function saveRows(sqlite: Sqlite): () => void {
	const { database } = sqlite;
	const names = namesOfTables(sqlite);
	const number = ++saved;
	const copyOf = (name: string) => `temp."saved ${number} ${name}"`;
	const saves = names.map((name) => `create table ${copyOf(name)} as select * from main."${name}"`);
	database.exec(saves.join(";"));
	const restores = names
		.flatMap((name) => [
			`delete from main."${name}"`,
			`insert into main."${name}" select * from ${copyOf(name)}`,
		])
		.map((sql) => prepare(sqlite, sql));
	const hasChanged = watchRows(sqlite);
	return () => {
		if (!hasChanged()) return;
		database.exec("pragma foreign_keys = off");
		for (const restore of restores) restore.run();
		database.exec("pragma foreign_keys = on");
		hasChanged();
	};
}
