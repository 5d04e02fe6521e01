import {
	getCurrentDBAdapterAsyncLocalStorage,
	runWithTransaction,
} from "@better-auth/core/context";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";

const CODES = new Set<unknown>([
	"40P01", // PostgreSQL: deadlock
	"40001", // PostgreSQL: serialization failure
	"55P03", // PostgreSQL: lock timeout
	"ER_LOCK_DEADLOCK", // MySQL, MariaDB
	1213,
	"ER_LOCK_WAIT_TIMEOUT",
	1205,
	"ER_CHECKREAD", // MariaDB: the row has changed since the snapshot
	1020,
	"P2034", // Prisma
]);

const SQLITE_BUSY = /^SQLITE_(BUSY|LOCKED)/;

/** SQLITE_BUSY and SQLITE_LOCKED in node:sqlite. Bits above the first eight have details. */
const isSqliteBusy = (errcode: unknown): boolean =>
	typeof errcode === "number" && [5, 6].includes(errcode & 0xff);

/** Whether a database gave up a write because another one changes the same rows. Nothing was written. */
export function isWriteConflict(error: unknown): boolean {
	if (error === null || typeof error !== "object") return false;
	if (error instanceof APIError) return error.body?.code === "WRITE_CONFLICT";
	const { code, errno, errcode, cause }: Record<string, unknown> = Object(error);
	return (
		CODES.has(code) ||
		CODES.has(errno) ||
		(typeof code === "string" && SQLITE_BUSY.test(code)) ||
		isSqliteBusy(errcode) ||
		(cause !== undefined && cause !== error && isWriteConflict(cause))
	);
}

const ATTEMPTS = 6;

/**
 * Repeats work that lost against another writer. The work must write to the database only, and all of it
 * in one transaction: then a failed attempt has left nothing behind.
 */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
	for (let attempt = 1; ; attempt += 1) {
		try {
			return await work();
		} catch (error) {
			if (attempt === ATTEMPTS || !isWriteConflict(error)) throw error;
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
