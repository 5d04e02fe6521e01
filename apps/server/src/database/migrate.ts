import type { BetterAuthOptions } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { sql } from "kysely";
import { StartError } from "../settings";
import type { AuthDatabase } from "./open-database";

/**
 * Brings the tables up to what `options` need, all or nothing: a start that is killed in the middle
 * leaves the database as it was.
 *
 * @throws StartError when the database cannot be read, or not be brought to that state
 */
export async function migrate(options: BetterAuthOptions, database: AuthDatabase): Promise<void> {
	try {
		await migrateAtOnce(options, database);
	} catch (cause) {
		const reason = cause instanceof Error ? cause.message : String(cause);
		throw new StartError(`The database in DATA_DIR cannot be used: ${reason}`, { cause });
	}
}

async function migrateAtOnce(options: BetterAuthOptions, database: AuthDatabase): Promise<void> {
	await database.db.transaction().execute(async (transaction) => {
		// A raw statement takes the writer, so a second process plans only after this one is done.
		await sql`select 1`.execute(transaction);
		const { runMigrations } = await getMigrations({
			...options,
			database: { ...database, db: transaction },
		});
		await runMigrations();
	});
}
