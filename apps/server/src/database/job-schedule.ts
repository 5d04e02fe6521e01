import type { Kysely } from "kysely";
import type { AuthDatabase } from "./open-database";

type Row = { name: string; due_at: number; locked_until: number };
type Tables = { service_job: Row };

const tables = (db: Kysely<unknown>) => db as Kysely<Tables>;

/** Creates the table. Times are milliseconds since 1970. */
export function scheduleTable(db: Kysely<unknown>) {
	return db.schema
		.createTable("service_job")
		.ifNotExists()
		.addColumn("name", "varchar(64)", (column) => column.notNull().primaryKey())
		.addColumn("due_at", "bigint", (column) => column.notNull())
		.addColumn("locked_until", "bigint", (column) => column.notNull());
}

/** A process that dies keeps its lock for so long, unless the job has another time. */
export const LOCK_MS = 10 * 60 * 1000;

export type JobLock = {
	/** Keeps the lock for another `lockMs`. */
	renew: () => Promise<void>;
	/** @param nextInMs when the job is due again */
	release: (nextInMs: number) => Promise<void>;
};

/**
 * Takes the lock of a job that is due, so that of several servers one does the work. It is a row and not
 * a lock of the database: it needs no connection while the work is running, works in the same way on
 * every database, and remembers when the work was done.
 *
 * @param isForced whether the job may be done before it is due
 * @param lockMs more than the clocks of two servers may differ, or both do the work
 * @returns `null` if it is not due, or if another process is doing it
 */
export async function lockJob(
	database: AuthDatabase,
	name: string,
	{ isForced = false, lockMs = LOCK_MS }: { isForced?: boolean; lockMs?: number | undefined } = {},
): Promise<JobLock | null> {
	const db = tables(database.db);
	const now = Date.now();
	const { dueAt, lockedUntil } = (await findRow(db, name)) ?? (await addRow(database, name));
	if (lockedUntil > now || (dueAt > now && !isForced)) return null;

	let held = lockedUntil;
	/** Changes the row unless another process has changed it. The database lets one of them win. */
	const change = async (values: Partial<Row>) => {
		const { numUpdatedRows } = await db
			.updateTable("service_job")
			.set(values)
			.where("name", "=", name)
			.where("locked_until", "=", held)
			.executeTakeFirst();
		if (numUpdatedRows === 0n) return false;
		held = values.locked_until ?? held;
		return true;
	};
	if (!(await change({ locked_until: now + lockMs }))) return null;
	return {
		renew: async () => void (await change({ locked_until: Date.now() + lockMs })),
		release: async (nextInMs) =>
			void (await change({ locked_until: 0, due_at: Date.now() + nextInMs })),
	};
}

type State = { dueAt: number; lockedUntil: number };

async function findRow(db: Kysely<Tables>, name: string): Promise<State | null> {
	const row = await db
		.selectFrom("service_job")
		.select(["due_at", "locked_until"])
		.where("name", "=", name)
		.executeTakeFirst();
	// PostgreSQL returns a bigint as text.
	return row ? { dueAt: Number(row.due_at), lockedUntil: Number(row.locked_until) } : null;
}

/** A job that was never done is due. Another process may add the row at the same time. */
async function addRow({ db, type }: AuthDatabase, name: string): Promise<State> {
	const insert = tables(db).insertInto("service_job").values({ name, due_at: 0, locked_until: 0 });
	if (type === "mysql") await insert.ignore().execute();
	else await insert.onConflict((conflict) => conflict.column("name").doNothing()).execute();
	return { dueAt: 0, lockedUntil: 0 };
}
