import { setTimeout as sleep } from "node:timers/promises";
import { WriterQueue } from "./writer-queue";

/** What the dialect needs of a SQLite driver: libsql's, better-sqlite3's and ours for tests fit. */
export interface SqliteConnection {
	readonly inTransaction: boolean;
	exec(sql: string): unknown;
	prepare(sql: string): SqliteStatement;
	close(): unknown;
}

interface SqliteStatement {
	readonly reader: boolean;
	all(parameters: readonly unknown[]): unknown[];
	run(parameters: readonly unknown[]): {
		changes: number | bigint;
		lastInsertRowid: number | bigint;
	};
}

type OpenConnection = () => SqliteConnection;

export type ConnectionPairConfig = {
	/** Opens a new connection to the file; called twice. */
	open: OpenConnection;
	/** How long a write waits for other writes, in milliseconds. */
	patienceMs: number;
};

/** One connection that writes, one that reads, and the queue in front of the writer. */
export class ConnectionPair {
	readonly reader: SqliteConnection;
	readonly writer: SqliteConnection;
	readonly queue: WriterQueue;
	readonly #patienceMs: number;

	constructor({ open, patienceMs }: ConnectionPairConfig) {
		this.writer = openWriter(open);
		this.reader = openReader(open);
		this.queue = new WriterQueue(patienceMs);
		this.#patienceMs = patienceMs;
	}

	/**
	 * Takes SQLite's write lock; only for who has entered the queue. The lock is asked for through
	 * `exec`, and before the statement that needs it: a prepared statement that ends in SQLITE_BUSY
	 * leaves a libsql connection unusable.
	 */
	async begin(): Promise<void> {
		const deadline = Date.now() + this.#patienceMs;
		while (!this.#tryToBegin(deadline)) await sleep(10);
	}

	/** Undoes what is open, if anything is. */
	rollBack(): void {
		if (this.writer.inTransaction) this.writer.exec("ROLLBACK");
	}

	/** Waits for the writer to finish, then folds the log into the file and closes both. */
	async close(): Promise<void> {
		await this.queue.enter();
		this.reader.close();
		// Closing alone does not do it: libsql's prepared statements live until they are collected.
		this.writer.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all([]);
		this.writer.close();
	}

	#tryToBegin(deadline: number): boolean {
		try {
			// Something is open only if an earlier ROLLBACK failed.
			this.rollBack();
			this.writer.exec("BEGIN IMMEDIATE");
			return true;
		} catch (error) {
			// Another process is writing. SQLite's own waiting would stop this whole process.
			if (isBusy(error) && Date.now() < deadline) return false;
			throw error;
		}
	}
}

function openWriter(open: OpenConnection): SqliteConnection {
	const writer = open();
	writer.exec("PRAGMA busy_timeout = 5000");
	const [answer] = writer.prepare("PRAGMA journal_mode = WAL").all([]);
	const mode = (answer as { journal_mode?: string } | undefined)?.journal_mode;
	if (mode !== "wal") throw new Error(`SQLite refused write-ahead logging (it stays in ${mode}).`);
	writer.exec("PRAGMA foreign_keys = ON");
	writer.exec("PRAGMA busy_timeout = 50");
	return writer;
}

function openReader(open: OpenConnection): SqliteConnection {
	const reader = open();
	reader.exec("PRAGMA busy_timeout = 5000");
	reader.exec("PRAGMA query_only = ON");
	return reader;
}

function isBusy(error: unknown): boolean {
	return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}
