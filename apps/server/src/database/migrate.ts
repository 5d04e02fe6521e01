import type { BetterAuthOptions } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { type Kysely, sql } from "kysely";
import { createDailyCounts } from "../counts/daily-counts-table";
import { StartError } from "../start-error";
import type { AuthDatabase } from "./open-database";

/** How long a start waits for another that is migrating, in seconds. */
const patience = 120;
/** Any number that nobody else takes: it names the lock on PostgreSQL. */
const lockNumber = 7_262_838_241;
const lockName = "better-auth-tenant migration";

/**
 * Brings the tables up to what `options` need. Two servers that start at once take turns. On SQLite
 * and PostgreSQL it is all or nothing: a start that is killed in the middle leaves the database as it
 * was. On MySQL the next start goes on from there.
 *
 * @throws StartError when the database cannot be read, or not be brought to that state
 */
export async function migrate(options: BetterAuthOptions, database: AuthDatabase): Promise<void> {
	try {
		await locked(database, async (db) => {
			const { runMigrations } = await getMigrations({
				...options,
				database: { ...database, db },
			});
			await runMigrations();
			await createDailyCounts(db);
		});
	} catch (cause) {
		if (cause instanceof StartError) throw cause;
		throw new StartError(`${nameOf(options)} cannot be used: ${reasonOf(cause)}`, { cause });
	}
}

type Work = (db: Kysely<unknown>) => Promise<void>;

/** Runs `work` while no other server migrates this database. */
export async function locked({ db, type }: AuthDatabase, work: Work): Promise<void> {
	if (type === "mysql") return lockedOnMysql(db, work);
	await db.transaction().execute(async (transaction) => {
		// On SQLite a raw statement takes the writer, so a second process plans only after this one is done.
		if (type === "sqlite") await sql`select 1`.execute(transaction);
		else await takePostgresLock(transaction);
		await work(transaction);
	});
}

/** It goes with the transaction, also when the process dies. */
async function takePostgresLock(transaction: Kysely<unknown>): Promise<void> {
	await sql`set local lock_timeout = ${sql.lit(`${patience}s`)}`.execute(transaction);
	await sql`select pg_advisory_xact_lock(${sql.lit(lockNumber)})`.execute(transaction);
}

/** It goes with the connection, also when the process dies. */
async function lockedOnMysql(db: Kysely<unknown>, work: Work): Promise<void> {
	await db.connection().execute(async (connection) => {
		await requireUtf8(connection);
		const name = sql`concat(${lockName}, ' ', left(database(), 30))`;
		const { rows } = await sql<{ taken: number | null }>`
			select get_lock(${name}, ${patience}) as taken
		`.execute(connection);
		if (rows[0]?.taken !== 1)
			throw new Error("another server is migrating it and does not finish.");
		try {
			await work(connection);
		} finally {
			await sql`select release_lock(${name})`.execute(connection);
		}
	});
}

/** Tables get the database's character set: names in another script would be refused or mangled. */
async function requireUtf8(connection: Kysely<unknown>): Promise<void> {
	const { rows } = await sql<{ charset: string; name: string }>`
		select @@character_set_database as charset, database() as name
	`.execute(connection);
	const [{ charset, name } = { charset: "", name: "" }] = rows;
	if (charset === "utf8mb4") return;
	throw new StartError(
		`DATABASE_URL leads to a database in the character set ${charset}; run ALTER DATABASE \`${name}\` CHARACTER SET utf8mb4 before its tables are made.`,
	);
}

function reasonOf(cause: unknown): string {
	if (!(cause instanceof Error)) return String(cause);
	const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
	// A connection that was refused on several addresses has no message of its own.
	return cause.message || code || cause.name;
}

/** As the person who runs the server knows it. */
function nameOf({ database }: BetterAuthOptions): string {
	const type = database && "type" in database ? database.type : "sqlite";
	return type === "sqlite" ? "The database in DATA_DIR" : "The database at DATABASE_URL";
}
