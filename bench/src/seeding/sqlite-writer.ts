import { openSqlite } from "../host/database";
import type { Writer } from "./writer";

/**
 * One transaction with no journal, rows as JSON in one parameter, indexes made afterwards. A database
 * whose seeding was interrupted is useless.
 */
export async function openSqliteWriter(address: string): Promise<Writer> {
	const database = openSqlite(address, "delete");
	database.prepare("pragma journal_mode = off").all();
	database.exec("pragma synchronous = off");
	database.exec("pragma foreign_keys = off");
	// Ids have no order: with less, each row would be a page read from the disk.
	database.exec("pragma cache_size = -1000000");
	const indexes = database
		.prepare("select name, sql from sqlite_master where type = 'index' and sql is not null")
		.all() as { name: string; sql: string }[];
	database.exec("begin");
	for (const { name } of indexes) database.exec(`drop index "${name}"`);

	return {
		async write(table, columns, rows) {
			const names = columns.map((column) => `"${column}"`).join(", ");
			// Of JSON's booleans SQLite makes 0 and 1, which is how Better Auth stores them.
			const values = columns.map((_, index) => `value ->> ${index}`).join(", ");
			database
				.prepare(`insert into "${table}" (${names}) select ${values} from json_each(?)`)
				.run([JSON.stringify(rows)]);
		},
		async finish() {
			for (const { sql } of indexes) database.exec(sql);
			database.exec("commit");
			database.exec("analyze");
			database.prepare("pragma journal_mode = wal").all();
			database.close();
		},
	};
}
