import { type Kysely, sql } from "kysely";
import type { AuthDatabase } from "./open-database";

const MAX_BYTES = 2000;
const KEPT_CHARACTERS = 255;

const shorten = sql`
	update "user" set name = left(name, ${sql.lit(KEPT_CHARACTERS)})
	where octet_length(name) > ${sql.lit(MAX_BYTES)}
`;

/**
 * PostgreSQL cannot index a text of more than about 2,700 bytes, and before the index of names it took a name
 * of any length. Such names are cut before the index is created. Later, they are rejected.
 */
export async function shortenLongNames(database: AuthDatabase): Promise<void> {
	if (await hasLongNames(database)) await shorten.execute(database.db);
}

/** For the plan of an upgrade. */
export async function longNameStatements(database: AuthDatabase) {
	if (!(await hasLongNames(database))) return [];
	const { sql: text } = shorten.compile(database.db as Kysely<unknown>);
	const reason = `names of more than ${MAX_BYTES} bytes do not fit into the index of names`;
	return [{ sql: text.trim().replace(/\s+/g, " "), reason }];
}

/** It reads the users only before the index exists. */
async function hasLongNames({ db, type }: AuthDatabase): Promise<boolean> {
	if (type !== "postgres") return false;
	const { rows } = await sql<{ users: string | null; index: string | null }>`
		select to_regclass('"user"')::text as users, to_regclass('"user_name_idx"')::text as index
	`.execute(db);
	if (!rows[0]?.users || rows[0].index) return false;
	const long = await sql`
		select 1 from "user" where octet_length(name) > ${sql.lit(MAX_BYTES)} limit 1
	`.execute(db);
	return long.rows.length > 0;
}
