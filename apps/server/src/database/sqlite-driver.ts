/** The part of an SQLite driver that the dialect uses. libsql and better-sqlite3 have it. */
export interface SqliteConnection {
	readonly inTransaction: boolean;
	exec(sql: string): unknown;
	prepare(sql: string): SqliteStatement;
	close(): unknown;
}

export interface SqliteStatement {
	readonly reader: boolean;
	all(parameters: readonly unknown[]): unknown[];
	run(parameters: readonly unknown[]): {
		changes: number | bigint;
		lastInsertRowid: number | bigint;
	};
}
