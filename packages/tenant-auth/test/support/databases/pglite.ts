import { PGlite } from "@electric-sql/pglite";
import {
	CompiledQuery,
	type DatabaseConnection,
	type Dialect,
	type Driver,
	Kysely,
	PostgresAdapter,
	PostgresIntrospector,
	PostgresQueryCompiler,
} from "kysely";
import type { Rows } from "../worlds/instance";
import type { OpenDatabase } from "./databases";

/** PostgreSQL inside this process, in memory. */
export async function openPglite(): Promise<OpenDatabase> {
	const db = new Kysely<Rows>({ dialect: pgliteDialect(await PGlite.create()) });
	return { db, type: "postgres", close: () => db.destroy() };
}

const pgliteDialect = (client: PGlite): Dialect => ({
	createAdapter: () => new PostgresAdapter(),
	createDriver: () => new OneConnectionDriver(client),
	createIntrospector: (db) => new PostgresIntrospector(db),
	createQueryCompiler: () => new PostgresQueryCompiler(),
});

/** There is one connection: whoever has it, keeps it until their transaction ends. */
class OneConnectionDriver implements Driver {
	#free: Promise<void> = Promise.resolve();
	#release = () => {};
	readonly #connection: DatabaseConnection;

	constructor(private readonly client: PGlite) {
		this.#connection = {
			executeQuery: async <R>({ sql, parameters }: CompiledQuery) => {
				const { rows, affectedRows = 0 } = await client.query<R>(sql, [...parameters]);
				return { rows, numAffectedRows: BigInt(affectedRows) };
			},
			// biome-ignore lint/correctness/useYield: Better Auth streams nothing
			async *streamQuery() {
				throw new Error("not needed");
			},
		};
	}

	async init() {}

	async acquireConnection(): Promise<DatabaseConnection> {
		const before = this.#free;
		let release = () => {};
		this.#free = new Promise((resolve) => {
			release = resolve;
		});
		await before;
		this.#release = release;
		return this.#connection;
	}

	async releaseConnection() {
		this.#release();
	}

	async beginTransaction(connection: DatabaseConnection) {
		await connection.executeQuery(CompiledQuery.raw("begin"));
	}

	async commitTransaction(connection: DatabaseConnection) {
		await connection.executeQuery(CompiledQuery.raw("commit"));
	}

	async rollbackTransaction(connection: DatabaseConnection) {
		await connection.executeQuery(CompiledQuery.raw("rollback"));
	}

	async destroy() {
		await this.client.close();
	}
}
