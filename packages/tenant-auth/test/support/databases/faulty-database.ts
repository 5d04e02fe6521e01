import type Database from "libsql";

/** Makes one statement of a database fail, and all others work. */
export function makeFaulty(database: Database.Database, code = "SQLITE_IOERR") {
	const prepare = database.prepare.bind(database);
	let left = 0;
	let failed: string | null = null;
	database.prepare = (sql: string) => {
		left -= 1;
		if (left === 0) {
			failed = sql;
			throw Object.assign(new Error(`disk I/O error in ${sql}`), { code });
		}
		return prepare(sql);
	};
	return {
		/** The n-th statement from now on fails. */
		failAt(n: number) {
			left = n;
			failed = null;
		},
		/** The statement that failed, if it came so far. */
		stop(): string | null {
			left = 0;
			return failed;
		},
	};
}

export interface Table {
	name: string;
	rows: Record<string, unknown>[];
}

export function readTables(database: Database.Database): Table[] {
	const tables = database
		.prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
		.all() as { name: string }[];
	return tables.map(({ name }) => ({
		name,
		rows: database.prepare(`select * from "${name}"`).all() as Record<string, unknown>[],
	}));
}
