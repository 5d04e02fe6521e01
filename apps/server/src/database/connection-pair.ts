import { setTimeout as sleep } from "node:timers/promises";
import { PreparedStatements } from "./prepared-statements";
import type { SqliteConnection } from "./sqlite-driver";

type OpenConnection = () => SqliteConnection;

export type ConnectionPairConfig = {
	/** Opens a new connection to the file; called twice. */
	open: OpenConnection;
	/** How long a write waits for other writes, in milliseconds. */
	timeoutMs: number;
};

/** One connection for writes, one for reads, and the queue of writers. */
export class ConnectionPair {
	readonly writer: SqliteConnection;
	/** Runs statements on the reader. */
	readonly reads: PreparedStatements;
	/** Runs statements on the writer. */
	readonly writes: PreparedStatements;
	readonly queue: WriterQueue;
	readonly #reader: SqliteConnection;
	readonly #timeoutMs: number;

	constructor({ open, timeoutMs }: ConnectionPairConfig) {
		this.writer = openWriter(open);
		this.#reader = openReader(open);
		this.reads = new PreparedStatements(this.#reader);
		this.writes = new PreparedStatements(this.writer);
		this.queue = new WriterQueue(timeoutMs);
		this.#timeoutMs = timeoutMs;
	}

	/**
	 * Takes SQLite's write lock. Enter the queue before. It takes the lock with `exec`, before the
	 * statement that needs it: a prepared statement that fails with SQLITE_BUSY leaves a libsql
	 * connection unusable.
	 */
	async begin(): Promise<void> {
		const deadline = Date.now() + this.#timeoutMs;
		while (!this.#tryToBegin(deadline)) await sleep(10);
	}

	/** Does nothing if no transaction is open. */
	rollBack(): void {
		if (this.writer.inTransaction) this.writer.exec("ROLLBACK");
	}

	/** Waits for the writer, then merges the log into the database file and closes both connections. */
	async close(): Promise<void> {
		await this.queue.enter();
		this.#reader.close();
		// Closing does not do this: libsql keeps prepared statements open until garbage collection.
		this.writer.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all([]);
		this.writer.close();
	}

	#tryToBegin(deadline: number): boolean {
		try {
			// A transaction is open only if an earlier ROLLBACK failed.
			this.rollBack();
			this.writer.exec("BEGIN IMMEDIATE");
			return true;
		} catch (error) {
			// Another process is writing. SQLite's own busy timeout would block this whole process.
			if (isBusy(error) && Date.now() < deadline) return false;
			throw error;
		}
	}
}

function openWriter(open: OpenConnection): SqliteConnection {
	const writer = open();
	writer.exec("PRAGMA busy_timeout = 5000");
	const [row] = writer.prepare("PRAGMA journal_mode = WAL").all([]);
	const mode = (row as { journal_mode?: string } | undefined)?.journal_mode;
	if (mode !== "wal") throw new Error(`SQLite rejected write-ahead logging (mode: ${mode}).`);
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

type Waiting = { resolve: () => void; timer: NodeJS.Timeout };

/** Lets one writer in at a time, in order of arrival. */
class WriterQueue {
	readonly #timeoutMs: number;
	readonly #waiting = new Set<Waiting>();
	#isTaken = false;

	/** @param timeoutMs how long {@link enter} waits */
	constructor(timeoutMs: number) {
		this.#timeoutMs = timeoutMs;
	}

	/** Waits for its turn. The caller must then call {@link leave} exactly once. */
	async enter(): Promise<void> {
		if (!this.#isTaken) {
			this.#isTaken = true;
			return;
		}
		await new Promise<void>((resolve, reject) => {
			const waiting: Waiting = {
				resolve,
				// Code that writes outside of its own open transaction waits for itself. Without this
				// error the server could never write again.
				timer: setTimeout(() => {
					this.#waiting.delete(waiting);
					reject(new Error(`The database was busy writing for ${this.#timeoutMs} ms.`));
				}, this.#timeoutMs),
			};
			this.#waiting.add(waiting);
		});
	}

	leave(): void {
		const [next] = this.#waiting;
		if (!next) {
			this.#isTaken = false;
			return;
		}
		this.#waiting.delete(next);
		clearTimeout(next.timer);
		next.resolve();
	}
}
