import {
	type CompiledQuery,
	type DatabaseConnection,
	type Dialect,
	type Driver,
	type Kysely,
	type QueryResult,
	SelectQueryNode,
	SqliteAdapter,
	SqliteIntrospector,
	SqliteQueryCompiler,
} from "kysely";
import { ConnectionPair, type ConnectionPairConfig } from "./connection-pair";

/** SQLite for Kysely with two connections, so that reads never wait for a transaction. */
export class ReadWriteDialect implements Dialect {
	readonly #config: ConnectionPairConfig;

	constructor(config: ConnectionPairConfig) {
		this.#config = config;
	}

	createDriver(): Driver {
		return new ReadWriteDriver(this.#config);
	}

	createQueryCompiler(): SqliteQueryCompiler {
		return new SqliteQueryCompiler();
	}

	createAdapter(): SqliteAdapter {
		return new SqliteAdapter();
	}

	createIntrospector(db: Kysely<unknown>): SqliteIntrospector {
		return new SqliteIntrospector(db);
	}
}

class ReadWriteDriver implements Driver {
	readonly #config: ConnectionPairConfig;
	#pair: ConnectionPair | undefined;

	constructor(config: ConnectionPairConfig) {
		this.#config = config;
	}

	async init(): Promise<void> {
		this.#pair = new ConnectionPair(this.#config);
	}

	async acquireConnection(): Promise<LeasedConnection> {
		if (!this.#pair) throw new Error("The database is not open.");
		return new LeasedConnection(this.#pair);
	}

	async beginTransaction(connection: LeasedConnection): Promise<void> {
		connection.begin();
	}

	async commitTransaction(connection: LeasedConnection): Promise<void> {
		connection.commit();
	}

	async rollbackTransaction(connection: LeasedConnection): Promise<void> {
		connection.rollBack();
	}

	async releaseConnection(connection: LeasedConnection): Promise<void> {
		connection.rollBack();
	}

	async destroy(): Promise<void> {
		await this.#pair?.close();
	}
}

/**
 * What Kysely holds for one query or one transaction.
 *
 * A transaction takes the writer at its first write. Until then it reads without blocking anybody.
 * Better Auth hashes a password between the first read and the first write of a sign-up, and on a
 * single connection every other request would wait for that hash. In return, the isolation level is
 * only "read committed", PostgreSQL's default.
 */
class LeasedConnection implements DatabaseConnection {
	readonly #pair: ConnectionPair;
	#transaction: "none" | "begun" | "writing" = "none";

	constructor(pair: ConnectionPair) {
		this.#pair = pair;
	}

	async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
		if (this.#transaction === "writing") return this.#runInTransaction(query);
		if (SelectQueryNode.is(query.query)) return this.#pair.reads.run(query);
		if (this.#transaction === "none") return this.#writeInOwnTransaction(query);
		await this.#startWriting();
		return this.#runInTransaction(query);
	}

	/** Returns all rows at once: SQLite is synchronous. */
	async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
		yield await this.executeQuery<R>(query);
	}

	begin(): void {
		this.#transaction = "begun";
	}

	/** Kysely rolls back if this throws. */
	commit(): void {
		if (this.#transaction === "writing") {
			this.#pair.writer.exec("COMMIT");
			this.#pair.queue.leave();
		}
		this.#transaction = "none";
	}

	/** Can be called at any time, and more than once. */
	rollBack(): void {
		const wasWriting = this.#transaction === "writing";
		this.#transaction = "none";
		if (!wasWriting) return;
		try {
			this.#pair.rollBack();
		} catch {
			// The next writer tries again. The caller throws the original error, which is more useful.
		} finally {
			this.#pair.queue.leave();
		}
	}

	async #writeInOwnTransaction<R>(query: CompiledQuery): Promise<QueryResult<R>> {
		if (mustRunOutsideTransaction(query)) return this.#runOutsideTransaction(query);
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

	async #runOutsideTransaction<R>(query: CompiledQuery): Promise<QueryResult<R>> {
		await this.#pair.queue.enter();
		try {
			return this.#pair.writes.run(query);
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
		// SQLite rolls back by itself, for example if the disk is full. Later writes would then be kept.
		if (!this.#pair.writer.inTransaction) throw new Error("SQLite ended this transaction.");
		return this.#pair.writes.run(query);
	}
}

function mustRunOutsideTransaction(query: CompiledQuery): boolean {
	return /^\s*(pragma|vacuum)\b/i.test(query.sql);
}
