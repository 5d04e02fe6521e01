import {
	getCurrentDBAdapterAsyncLocalStorage,
	runWithTransaction,
} from "@better-auth/core/context";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import { hasCause } from "./errors";

/** The database has ended the transaction of the statement. Only a statement that writes is told so. */
const DEADLOCKS = new Set<unknown>([
	"40P01", // PostgreSQL: deadlock
	"40001", // PostgreSQL: serialization failure
	"ER_LOCK_DEADLOCK", // MySQL, MariaDB
	1213,
	"P2034", // Prisma
]);

/** Others have waited in vain. A statement that only reads may be told so too. */
const OTHERS = new Set<unknown>([
	"55P03", // PostgreSQL: lock timeout
	"ER_LOCK_WAIT_TIMEOUT",
	1205,
	"ER_CHECKREAD", // MariaDB: the row has changed since the snapshot
	1020,
]);

const SQLITE_BUSY = /^SQLITE_(BUSY|LOCKED)/;

/** SQLITE_BUSY and SQLITE_LOCKED in node:sqlite. Bits above the first eight have details. */
const isSqliteBusy = (errcode: unknown): boolean =>
	typeof errcode === "number" && [5, 6].includes(errcode & 0xff);

/** Whether a database gave up a write because another one changes the same rows. Nothing was written. */
export function isWriteConflict(error: unknown): boolean {
	if (error instanceof APIError) return error.body?.code === "WRITE_CONFLICT";
	return (
		isDeadlock(error) ||
		hasCause(
			error,
			({ code, errno, errcode }) =>
				OTHERS.has(code) ||
				OTHERS.has(errno) ||
				(typeof code === "string" && SQLITE_BUSY.test(code)) ||
				isSqliteBusy(errcode),
		)
	);
}

const isDeadlock = (error: unknown): boolean =>
	hasCause(error, ({ code, errno }) => DEADLOCKS.has(code) || DEADLOCKS.has(errno));

const ATTEMPTS = 6;

/**
 * Repeats work that lost against another writer. The work must write to the database only, and all of it
 * in one transaction: then a failed attempt has left nothing behind. Or it only deletes, and goes on with
 * what is left.
 */
export const retryConflicts = <T>(work: () => Promise<T>) => retry(work, isWriteConflict);

async function retry<T>(work: () => Promise<T>, hasLost: (error: unknown) => boolean): Promise<T> {
	for (let attempt = 1; ; attempt += 1) {
		try {
			return await work();
		} catch (error) {
			if (attempt === ATTEMPTS || !hasLost(error)) throw error;
			// Those who collided must not start again at the same time.
			const pause = Math.random() * 10 * 2 ** attempt;
			await new Promise((resume) => setTimeout(resume, pause));
		}
	}
}

/** Runs `work` in a transaction, and again if it lost against another writer. */
export async function runRetried<T>(adapter: DBAdapter, work: () => Promise<T>): Promise<T> {
	const current = (await getCurrentDBAdapterAsyncLocalStorage()).getStore();
	// Only the app can repeat its own transaction.
	if (current?.isTransactionActive) return work();
	return retryConflicts(() => runWithTransaction(adapter, work));
}

const WRITES = [
	"create",
	"update",
	"updateMany",
	"delete",
	"deleteMany",
	"consumeOne",
	"incrementOne",
] as const satisfies (keyof DBAdapter)[];

/**
 * Repeats writes outside of transactions that lost a deadlock. On MySQL, a single statement can lose one:
 * it locks a row of one index after the other. Core deletes all expired verification values whenever it
 * looks for one, while other requests delete theirs.
 */
export function repeatLostWrites(adapter: DBAdapter): void {
	for (const name of WRITES) {
		const write = adapter[name] as (...input: unknown[]) => Promise<unknown>;
		const repeated = (...input: unknown[]) => retry(() => write(...input), isDeadlock);
		Object.assign(adapter, { [name]: repeated });
	}
}
