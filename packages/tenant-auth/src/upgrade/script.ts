import { BetterAuthError } from "@better-auth/core/error";
import type { Connection, DatabaseType } from "./host-database";
import { guardSqlite } from "./sqlite-guard";
import type { Statement } from "./statement";

/** The statements of an upgrade with what stands around them. */
export interface Script {
	type: DatabaseType;
	setUp: Statement[];
	statements: Statement[];
	tearDown: Statement[];
	/** Tables of SQLite that are made again. */
	rebuilt: string[];
	/** Indexes that are dropped. */
	dropped: string[];
}

/** MySQL ends a transaction with every statement that changes a table. */
const BEGIN: Record<DatabaseType, string | null> = {
	sqlite: "begin immediate",
	postgres: "begin",
	mysql: null,
};
const ALL_OR_NOTHING = "everything below happens, or nothing";

/** Every statement, in the order in which it is run. */
export function linesOf({ type, setUp, statements, tearDown }: Script): Statement[] {
	const begin = BEGIN[type];
	if (statements.length === 0) return [];
	if (!begin) return [...setUp, ...statements, ...tearDown];
	return [
		...setUp,
		{ sql: begin, reason: ALL_OR_NOTHING },
		...statements,
		{ sql: "commit", reason: "everything above is done" },
		...tearDown,
	];
}

/** What the rebuilding of a table needs on SQLite; nothing of it can be set inside a transaction. */
export async function surroundRebuild({ query }: Connection, rebuilt: string[]) {
	if (rebuilt.length === 0) return { setUp: [], tearDown: [] };
	const setUp: Statement[] = [];
	const tearDown: Statement[] = [];
	const set = async (pragma: string, wanted: 0 | 1, reason: string) => {
		const [row] = await query(`select ${pragma} as value from pragma_${pragma}`).catch(() => []);
		const current = Number(row?.value ?? 1 - wanted);
		if (current === wanted) return;
		setUp.push({ sql: `pragma ${pragma} = ${wanted}`, reason });
		tearDown.unshift({ sql: `pragma ${pragma} = ${current}`, reason: "as it was" });
	};
	await set("foreign_keys", 0, "the old table's end is not that of the rows that refer to it");
	await set("legacy_alter_table", 1, "views and triggers that name the table stay as they are");
	return { setUp, tearDown };
}

export async function runScript(connection: Connection, script: Script): Promise<void> {
	const begin = BEGIN[script.type];
	for (const statement of script.setUp) await runStatement(connection, statement);
	try {
		if (begin) await connection.query(begin);
		try {
			await runGuarded(connection, script);
			if (begin) await connection.query("commit");
		} catch (error) {
			if (begin) await connection.query("rollback").catch(() => undefined);
			throw error;
		}
	} finally {
		for (const statement of script.tearDown) await runStatement(connection, statement);
	}
}

async function runGuarded(connection: Connection, script: Script): Promise<void> {
	const run = async () => {
		for (const statement of script.statements) await runStatement(connection, statement);
	};
	await (script.rebuilt.length > 0 ? guardSqlite(connection, script, run) : run());
}

async function runStatement({ query }: Connection, { sql }: Statement): Promise<void> {
	try {
		await query(sql);
	} catch (cause) {
		const message = cause instanceof Error ? cause.message : String(cause);
		throw new BetterAuthError(`${message.replace(/\.$/, "")}, at: ${sql}`, { cause });
	}
}
