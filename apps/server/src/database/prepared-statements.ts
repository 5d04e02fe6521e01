import type { CompiledQuery, QueryResult } from "kysely";
import type { SqliteConnection, SqliteStatement } from "./sqlite-driver";

/** How many statements of a connection stay prepared. The service has some hundred texts of statements. */
const MAX_PREPARED = 250;

interface Prepared {
	statement: SqliteStatement;
	/** Whether the statement returns rows. */
	reader: boolean;
}

/**
 * Runs statements on a connection. Keeps those prepared that ran last: to prepare a statement takes three
 * times as long as to run it.
 */
export class PreparedStatements {
	readonly #connection: SqliteConnection;
	/** By text. The one that ran last is at the end. */
	readonly #kept = new Map<string, Prepared>();

	constructor(connection: SqliteConnection) {
		this.#connection = connection;
	}

	run<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
		const prepared = this.#take(sql);
		const result = runPrepared<R>(prepared, parameters);
		if (isRepeated(sql)) this.#keep(sql, prepared);
		return result;
	}

	/** A statement that fails is not kept: nobody promises in which state it is. */
	#take(sql: string): Prepared {
		const kept = this.#kept.get(sql);
		if (kept) {
			this.#kept.delete(sql);
			return kept;
		}
		const statement = this.#connection.prepare(sql);
		return { statement, reader: statement.reader };
	}

	#keep(sql: string, prepared: Prepared): void {
		this.#kept.set(sql, prepared);
		if (this.#kept.size <= MAX_PREPARED) return;
		const [oldest = sql] = this.#kept.keys();
		this.#kept.delete(oldest);
	}
}

/** Others change the schema or settings, and run once. */
const isRepeated = (sql: string): boolean => /^\s*(select|insert|update|delete|with)\b/i.test(sql);

function runPrepared<R>(
	{ statement, reader }: Prepared,
	parameters: readonly unknown[],
): QueryResult<R> {
	if (reader) return { rows: statement.all(parameters) as R[] };
	const { changes, lastInsertRowid } = statement.run(parameters);
	return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
}
