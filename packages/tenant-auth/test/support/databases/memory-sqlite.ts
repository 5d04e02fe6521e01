import Database from "libsql";

/**
 * SQLite in memory that prepares each statement once. Tests run the same statements again and again,
 * and preparing them takes longer than running them.
 */
export function openMemorySqlite(): Database.Database {
	const database = new Database(":memory:");
	const statements = new Map<string, Database.Statement>();
	const prepareNew = database.prepare.bind(database);
	const prepare = (sql: string) => {
		const statement = statements.get(sql) ?? prepareNew(sql);
		statements.set(sql, statement);
		return statement;
	};
	return Object.assign(database, { prepare });
}
