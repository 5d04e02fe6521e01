import {
	type CompiledQuery,
	type DatabaseConnection,
	type QueryResult,
	SelectQueryNode,
} from "kysely";
import type { ConnectionPair, SqliteConnection } from "./connection-pair";

/**
 * What Kysely holds for one query or one transaction.
 *
 * A transaction takes the writer only when it first writes: until then it reads beside everyone
 * else. Better Auth hashes a password between the first read and the first write of a sign-up, and
 * on a single connection every other request would wait for that hash. The price is read committed
 * isolation, PostgreSQL's default.
 */
export class LeasedConnection implements DatabaseConnection {
	readonly #pair: ConnectionPair;
	#transaction: "none" | "begun" | "writing" = "none";

	constructor(pair: ConnectionPair) {
		this.#pair = pair;
	}

	async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
		if (this.#transaction === "writing") return this.#runInTransaction(query);
		if (SelectQueryNode.is(query.query)) return run(this.#pair.reader, query);
		if (this.#transaction === "none") return this.#writeAlone(query);
		await this.#startWriting();
		return this.#runInTransaction(query);
	}

	/** Everything in one piece: SQLite answers synchronously, so there is nothing to wait for. */
	async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
		yield await this.executeQuery<R>(query);
	}

	begin(): void {
		this.#transaction = "begun";
	}

	/** Kysely rolls back when this throws. */
	commit(): void {
		if (this.#transaction === "writing") {
			this.#pair.writer.exec("COMMIT");
			this.#pair.queue.leave();
		}
		this.#transaction = "none";
	}

	/** Safe to call at any time, and more than once. */
	rollBack(): void {
		const wasWriting = this.#transaction === "writing";
		this.#transaction = "none";
		if (!wasWriting) return;
		try {
			this.#pair.rollBack();
		} catch {
			// The next writer tries again; the caller throws the error that led here, which says more.
		} finally {
			this.#pair.queue.leave();
		}
	}

	async #writeAlone<R>(query: CompiledQuery): Promise<QueryResult<R>> {
		if (refusesTransactions(query)) return this.#runAlone(query);
		try {
			await this.#startWriting();
			const result = this.#runInTransaction<R>(query);
			this.commit();
			return result;
		} catch (error) {
			this.rollBack();
			throw error;
		}
	}

	async #runAlone<R>(query: CompiledQuery): Promise<QueryResult<R>> {
		await this.#pair.queue.enter();
		try {
			return run(this.#pair.writer, query);
		} finally {
			this.#pair.queue.leave();
		}
	}

	async #startWriting(): Promise<void> {
		await this.#pair.queue.enter();
		try {
			await this.#pair.begin();
			this.#transaction = "writing";
		} catch (error) {
			this.#pair.queue.leave();
			throw error;
		}
	}

	#runInTransaction<R>(query: CompiledQuery): QueryResult<R> {
		// On a full disk, among others, SQLite rolls back by itself; what follows would then be kept.
		if (!this.#pair.writer.inTransaction) throw new Error("SQLite ended this transaction.");
		return run(this.#pair.writer, query);
	}
}

function refusesTransactions(query: CompiledQuery): boolean {
	return /^\s*(pragma|vacuum)\b/i.test(query.sql);
}

function run<R>(connection: SqliteConnection, query: CompiledQuery): QueryResult<R> {
	const statement = connection.prepare(query.sql);
	if (statement.reader) return { rows: statement.all(query.parameters) as R[] };
	const { changes, lastInsertRowid } = statement.run(query.parameters);
	return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
}
