import {
	type Dialect,
	type Driver,
	type Kysely,
	SqliteAdapter,
	SqliteIntrospector,
	SqliteQueryCompiler,
} from "kysely";
import { ConnectionPair, type ConnectionPairConfig } from "./connection-pair";
import { LeasedConnection } from "./leased-connection";

/** SQLite for Kysely on two connections, so that reads never wait for a transaction. */
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
