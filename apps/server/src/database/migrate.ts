import { setTimeout as sleep } from "node:timers/promises";
import type { BetterAuthOptions } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { type Kysely, sql } from "kysely";
import { StartError } from "../settings/start-error";
import { shortenLongNames } from "./long-names";
import type { AuthDatabase } from "./open-database";
import { ownTables } from "./own-tables";

/** How long a start waits for another server that is migrating. */
const LOCK_TIMEOUT_SECONDS = 120;
/** The lock on PostgreSQL. Any number that nothing else uses. */
const LOCK_NUMBER = 7_262_838_241;
const LOCK_NAME = "better-auth-tenant migration";

/**
 * Migrates the database to the tables that `options` need. Servers that start at the same time take
 * turns. On SQLite and PostgreSQL the migration is atomic. On MySQL the next start continues a
 * migration that was interrupted.
 *
 * @throws StartError if the database cannot be read or migrated
 */
export async function migrate(options: BetterAuthOptions, database: AuthDatabase): Promise<void> {
	try {
		await repeatLostMigrations(() =>
			withMigrationLock(database, async (db) => {
				await shortenLongNames({ ...database, db });
				const { runMigrations } = await getMigrations({
					...withoutFalseWarnings(options),
					database: { ...database, db },
				});
				await runMigrations();
				for (const { create } of ownTables) await create(db).execute();
			}),
		);
	} catch (cause) {
		if (cause instanceof StartError) throw cause;
		throw new StartError(`${nameOf(options)} cannot be used: ${reasonOf(cause)}`, { cause });
	}
}

/** A table, column, index or foreign key exists that did not when the tables were read. */
const LOST = new Set<unknown>([
	"ER_TABLE_EXISTS_ERROR",
	"ER_DUP_FIELDNAME",
	"ER_DUP_KEYNAME",
	"ER_FK_DUP_NAME",
	"ER_DUP_CONSTRAINT_NAME",
	"ER_LOCK_DEADLOCK",
]);
const MAX_ATTEMPTS = 60;

/**
 * Better Auth found a table, but not the lengths of its columns. This happens while another node makes the
 * same table. A column that really has no length fails again, so it is not tried as often.
 */
const HALF_READ = /^Cannot create database index .* is not bounded for MySQL/;
const MAX_HALF_READ = 5;

function maxAttempts(error: unknown): number {
	const { code, message } = Object(error) as { code?: unknown; message?: unknown };
	if (LOST.has(code)) return MAX_ATTEMPTS;
	return HALF_READ.test(String(message)) ? MAX_HALF_READ : 1;
}

/**
 * Looks again if another server has migrated meanwhile. The lock of MySQL is one of a node: in a Galera
 * cluster, servers at two nodes migrate at the same time.
 */
export async function repeatLostMigrations(
	migration: () => Promise<void>,
	pause = () => sleep(500 + Math.random() * 1500),
): Promise<void> {
	for (let attempt = 1; ; attempt += 1) {
		try {
			return await migration();
		} catch (error) {
			if (attempt >= maxAttempts(error)) throw error;
			await pause();
		}
	}
}

/**
 * Better Auth makes lists TEXT on SQLite, and then warns at each start that they are not JSON. MariaDB's
 * JSON is a longtext.
 */
const FALSE_WARNING =
	/has a different type in the database\. Expected ((string|number)\[\] but got TEXT|(json|(string|number)\[\]) but got longtext)/i;

function withoutFalseWarnings(options: BetterAuthOptions): BetterAuthOptions {
	const { logger } = options;
	const log: NonNullable<typeof logger>["log"] = (level, message, ...details) => {
		if (!FALSE_WARNING.test(message)) logger?.log?.(level, message, ...details);
	};
	return logger?.log ? { ...options, logger: { ...logger, log } } : options;
}

type Work = (db: Kysely<unknown>) => Promise<void>;

/** Runs `work` while no other server migrates this database. */
export async function withMigrationLock({ db, type }: AuthDatabase, work: Work): Promise<void> {
	if (type === "mysql") return withMysqlLock(db, work);
	await db.transaction().execute(async (transaction) => {
		// On SQLite a raw statement takes the writer, so a second process waits here.
		if (type === "sqlite") await sql`select 1`.execute(transaction);
		else await takePostgresLock(transaction);
		await work(transaction);
	});
}

/** The lock ends with the transaction, even if the process dies. */
async function takePostgresLock(transaction: Kysely<unknown>): Promise<void> {
	const timeout = sql.lit(`${LOCK_TIMEOUT_SECONDS}s`);
	await sql`set local lock_timeout = ${timeout}`.execute(transaction);
	await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_NUMBER)})`.execute(transaction);
}

/** The lock ends with the connection, even if the process dies. */
async function withMysqlLock(db: Kysely<unknown>, work: Work): Promise<void> {
	await db.connection().execute(async (connection) => {
		await requireUtf8(connection);
		const name = sql`concat(${LOCK_NAME}, ' ', left(database(), 30))`;
		const { rows } = await sql<{ taken: number | null }>`
			select get_lock(${name}, ${LOCK_TIMEOUT_SECONDS}) as taken
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

/** Tables use the database's character set. Another one would reject or corrupt names in some scripts. */
async function requireUtf8(connection: Kysely<unknown>): Promise<void> {
	const { rows } = await sql<{ charset: string; name: string }>`
		select @@character_set_database as charset, database() as name
	`.execute(connection);
	const [{ charset, name } = { charset: "", name: "" }] = rows;
	if (charset === "utf8mb4") return;
	throw new StartError(
		`DATABASE_URL names a database in the character set ${charset}; run ALTER DATABASE \`${name}\` CHARACTER SET utf8mb4 before the first start.`,
	);
}

function reasonOf(cause: unknown): string {
	if (!(cause instanceof Error)) return String(cause);
	const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
	// The error of a connection that several IP addresses refused has no message.
	return cause.message || code || cause.name;
}

/** The database, as the operator knows it. */
function nameOf({ database }: BetterAuthOptions): string {
	const type = database && "type" in database ? database.type : "sqlite";
	return type === "sqlite" ? "The database in DATA_DIR" : "The database at DATABASE_URL";
}
