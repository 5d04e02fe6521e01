import { Pool } from "pg";
import { openSqlite, type Statement, typeOf } from "../host/database";

export type Row = Record<string, unknown>;

/** Runs one prepared statement. */
type Query = (...parameters: unknown[]) => Row[] | Promise<Row[]>;

export interface PreparedStatements {
	/** Parameters are written as `?`. */
	prepare(sql: string): Query;
	close(): Promise<void>;
}

/** The driver itself, without a query builder and without an adapter. */
export function openPrepared(
	address: string,
	onStatement: (statement: Statement) => void = () => {},
): PreparedStatements {
	return typeOf(address) === "sqlite"
		? onSqlite(address, onStatement)
		: onPostgres(address, onStatement);
}

function onSqlite(address: string, onStatement: (it: Statement) => void): PreparedStatements {
	const database = openSqlite(address, "wal");
	return {
		prepare(sql) {
			const statement = database.prepare(sql);
			return (...parameters) => {
				onStatement({ sql, parameters });
				return statement.all(parameters) as Row[];
			};
		},
		async close() {
			database.close();
		},
	};
}

function onPostgres(address: string, onStatement: (it: Statement) => void): PreparedStatements {
	const pool = new Pool({ connectionString: address });
	let statements = 0;
	return {
		prepare(sql) {
			let parameter = 0;
			const text = sql.replaceAll("?", () => `$${++parameter}`);
			const name = `floor_${++statements}`;
			return async (...parameters) => {
				onStatement({ sql: text, parameters });
				return (await pool.query<Row>({ name, text, values: parameters })).rows;
			};
		},
		close: () => pool.end(),
	};
}
