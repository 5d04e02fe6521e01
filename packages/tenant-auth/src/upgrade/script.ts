import { BetterAuthError } from "@better-auth/core/error";
import type { Connection, DatabaseType } from "./host-database";
import { guardRebuild, type Rebuild, type RebuildSettings } from "./sqlite-rebuild";
import type { Statement } from "./statements";

export interface Script {
	type: DatabaseType;
	rebuild: Rebuild;
	settings: RebuildSettings;
	statements: Statement[];
	/** Run last, after `deleteStorageEntries`. */
	columnDrops: Statement[];
	deleteStorageEntries(connection: Connection): Promise<void>;
}

/** MySQL commits with every statement that changes a table. */
const BEGIN: Record<DatabaseType, string | null> = {
	sqlite: "begin immediate",
	postgres: "begin",
	mysql: null,
};

/** Lists every statement in the order in which it is run. */
export function statementsOf({ type, settings, statements, columnDrops }: Script): Statement[] {
	const begin = BEGIN[type];
	const changes = [...statements, ...columnDrops];
	if (changes.length === 0) return [];
	if (!begin) return [...settings.before, ...changes, ...settings.after];
	return [
		...settings.before,
		{ sql: begin, reason: "everything until the commit succeeds or fails as a whole" },
		...changes,
		{ sql: "commit", reason: "everything is done" },
		...settings.after,
	];
}

export async function runScript(connection: Connection, script: Script): Promise<void> {
	const begin = BEGIN[script.type];
	await runStatements(connection, script.settings.before);
	try {
		if (begin) await connection.query(begin);
		try {
			await guardRebuild(connection, script.rebuild, async () => {
				await runStatements(connection, script.statements);
				await script.deleteStorageEntries(connection);
				await runStatements(connection, script.columnDrops);
			});
			if (begin) await connection.query("commit");
		} catch (error) {
			if (begin) await connection.query("rollback").catch(() => undefined);
			throw error;
		}
	} finally {
		await runStatements(connection, script.settings.after);
	}
}

async function runStatements({ query }: Connection, statements: Statement[]): Promise<void> {
	for (const { sql } of statements) {
		try {
			await query(sql);
		} catch (cause) {
			const message = cause instanceof Error ? cause.message : String(cause);
			throw new BetterAuthError(`${message.replace(/\.$/, "")}, at: ${sql}`, { cause });
		}
	}
}
