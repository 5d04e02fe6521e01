import { closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { type Dialect, Kysely, MysqlDialect, PostgresDialect, sql } from "kysely";
import Libsql from "libsql";
import { createPool, type PoolConnection } from "mysql2";
import { Pool } from "pg";
import type { Log } from "../monitoring/log";
import { noteInvalidText, noteOutage } from "../monitoring/request-record";
import { createPrivateDirectory } from "../settings/private-directory";
import type { DatabaseLocation, Settings } from "../settings/settings";
import { StartError } from "../settings/start-error";
import { isInvalidText, isOutage } from "./outage";
import { limitMysqlQueries, limitPostgresQueries } from "./query-limits";
import { ReadWriteDialect } from "./read-write-dialect";
import { watchedDialect } from "./watched-dialect";

/** The `database` option of Better Auth. */
export type AuthDatabase = {
	db: Kysely<unknown>;
	type: "sqlite" | "postgres" | "mysql";
	transaction: true;
};

/** @throws StartError if an SQLite file cannot be created. It does not connect to a database server. */
export function openDatabase(
	{ database, databasePoolSize }: Pick<Settings, "database" | "databasePoolSize">,
	log: Log,
): AuthDatabase {
	const { type } = database;
	const open = () => {
		if (database.type === "sqlite") return openSqlite(database);
		if (database.type === "mysql") return openMysql(database.url, databasePoolSize);
		return openPostgres(database.url, databasePoolSize, log);
	};
	return { db: open(), type, transaction: true };
}

/** When a query last failed because the database is away, by `performance.now()`. */
const outages = new WeakMap<Kysely<unknown>, number>();

export const lastOutage = ({ db }: AuthDatabase): number =>
	outages.get(db) ?? Number.NEGATIVE_INFINITY;

function openWatched(dialect: Dialect): Kysely<unknown> {
	const onError = (error: unknown) => {
		if (isInvalidText(error)) noteInvalidText();
		if (!isOutage(error)) return;
		noteOutage();
		outages.set(db, performance.now());
	};
	const db = new Kysely<unknown>({ dialect: watchedDialect(dialect, onError) });
	return db;
}

/** Rejects if the database does not respond. */
export async function pingDatabase({ db }: AuthDatabase): Promise<void> {
	// Not a raw query: on SQLite a raw query would wait for the writer.
	await db.selectNoFrom(sql<number>`1`.as("one")).execute();
}

/** Longer than a usual queue of writers, and short enough for a client to see the error. */
const SQLITE_WRITE_TIMEOUT_MS = 15_000;

/**
 * Opens the SQLite file, and creates it if it does not exist.
 *
 * It uses libsql on every Node version: `node:sqlite` does not exist in Node 20 and prints a warning
 * in later versions, and with one driver there is only one behavior to test.
 *
 * @throws StartError if the file cannot be created
 */
export function openSqlite({
	file,
	isDefault,
}: Extract<DatabaseLocation, { type: "sqlite" }>): Kysely<unknown> {
	createPrivateFile(file, isDefault ? "DATA_DIR" : "DATABASE_URL");
	const timeoutMs = SQLITE_WRITE_TIMEOUT_MS;
	return openWatched(new ReadWriteDialect({ open: () => new Libsql(file), timeoutMs }));
}

/** The file contains password hashes and sessions. SQLite gives its log files the same mode. */
function createPrivateFile(file: string, setting: string): void {
	try {
		createPrivateDirectory(dirname(file));
		closeSync(openSync(file, "a", 0o600));
	} catch (cause) {
		const code = (cause as NodeJS.ErrnoException).code;
		throw new StartError(`${setting}: ${file} cannot be written (${code}).`, { cause });
	}
}

function openPostgres(url: string, poolSize: number, log: Log): Kysely<unknown> {
	const pool = new Pool({
		connectionString: url,
		max: poolSize,
		// Without a timeout, requests would wait for minutes for a server that does not respond.
		connectionTimeoutMillis: 5000,
		keepAlive: true,
		application_name: "better-auth-tenant",
	});
	// Without these listeners, a connection that breaks between two queries would end the process. The
	// pool opens a new connection.
	pool.on("error", (error) => log.warn({ err: error }, "a database connection broke"));
	pool.on("connect", (client) => {
		client.on("error", () => {});
		limitPostgresQueries(client);
	});
	return openWatched(new PostgresDialect({ pool }));
}

function openMysql(url: string, poolSize: number): Kysely<unknown> {
	const pool = createPool({
		uri: url,
		connectionLimit: poolSize,
		connectTimeout: 5000,
		// Writes and reads times as UTC, in every time zone of the database server and this process.
		timezone: "Z",
		charset: "utf8mb4",
	});
	pool.on("connection", (connection: PoolConnection) => {
		connection.query("set time_zone = '+00:00'");
		limitMysqlQueries(connection);
	});
	return openWatched(new MysqlDialect({ pool }));
}
