import type { BetterAuthOptions } from "@better-auth/core";

export type DatabaseType = "sqlite" | "postgres" | "mysql";
export type Row = Record<string, unknown>;

export interface Connection {
	query(sql: string): Promise<Row[]>;
}

/** The host's SQL database, in whichever form Better Auth was given it. */
export interface HostDatabase {
	type: DatabaseType;
	/** The schema that the host names, on PostgreSQL. */
	schemaName?: string | undefined;
	/** Whether using it would open a connection that nobody closes. */
	opensAnother: boolean;
	/** Runs `work` on one connection. */
	use<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
}

/** What Kysely's `CompiledQuery.raw` makes. */
const rawQuery = (sql: string) => ({
	sql,
	parameters: [],
	query: { kind: "RawNode", sqlFragments: [sql], parameters: [] },
	queryId: { queryId: "better-auth-tenant" },
});

type RawQuery = ReturnType<typeof rawQuery>;
interface QueryRunner {
	executeQuery(query: RawQuery): Promise<{ rows: Row[] }>;
}

interface KyselyLike {
	withoutPlugins(): {
		connection(): { execute<T>(work: (db: QueryRunner) => Promise<T>): Promise<T> };
	};
}
interface DialectLike {
	createDriver(): {
		init(): Promise<void>;
		acquireConnection(): Promise<QueryRunner>;
		releaseConnection(connection: QueryRunner): Promise<void>;
	};
}
interface PostgresPool {
	connect(): Promise<{ query(sql: string): Promise<{ rows: Row[] }>; release(): void }>;
}
interface MysqlPool {
	getConnection(): Promise<{ query(sql: string): Promise<[unknown, unknown]>; release(): void }>;
}
interface SqliteFile {
	prepare(sql: string): { all(): Row[]; run(): unknown; reader?: boolean };
}

const speak = (runner: QueryRunner): Connection => ({
	query: async (sql) => (await runner.executeQuery(rawQuery(sql))).rows,
});

/**
 * Finds how to speak SQL with it, or nothing where Better Auth speaks through an adapter of its own
 * kind (Drizzle, Prisma, MongoDB, memory) or to a database that is none of the three.
 *
 * Better Auth makes a Kysely of all of these, but hands it to nobody, and Kysely itself is its
 * dependency and not ours.
 */
export function findHostDatabase(database: BetterAuthOptions["database"]): HostDatabase | null {
	if (!database || typeof database !== "object") return null;
	if ("db" in database) {
		const { type, schemaName, db } = database as { type: string; schemaName?: string; db: unknown };
		return isKnown(type)
			? { type, schemaName, opensAnother: false, use: onKysely(db as KyselyLike) }
			: null;
	}
	if ("dialect" in database) {
		const { type, schemaName, dialect } = database as {
			type: string;
			schemaName?: string;
			dialect: unknown;
		};
		return isKnown(type)
			? { type, schemaName, opensAnother: true, use: onDialect(dialect as DialectLike) }
			: null;
	}
	if ("createDriver" in database) return null;
	if ("getConnection" in database) {
		return { type: "mysql", opensAnother: false, use: onMysql(database as unknown as MysqlPool) };
	}
	if ("connect" in database) {
		return {
			type: "postgres",
			opensAnother: false,
			use: onPostgres(database as unknown as PostgresPool),
		};
	}
	// Cloudflare's D1 has no transactions to rebuild a table in.
	if ("batch" in database) return null;
	if ("aggregate" in database || "fileControl" in database || "createSession" in database) {
		return {
			type: "sqlite",
			opensAnother: false,
			use: onSqlite(database as unknown as SqliteFile),
		};
	}
	return null;
}

function isKnown(type: string): type is DatabaseType {
	return type === "sqlite" || type === "postgres" || type === "mysql";
}

const onKysely =
	(db: KyselyLike): HostDatabase["use"] =>
	(work) =>
		db
			.withoutPlugins()
			.connection()
			.execute((runner) => work(speak(runner)));

const onDialect =
	(dialect: DialectLike): HostDatabase["use"] =>
	async (work) => {
		// Its end is the process's: to destroy it would end the host's own pool.
		const driver = dialect.createDriver();
		await driver.init();
		const connection = await driver.acquireConnection();
		try {
			return await work(speak(connection));
		} finally {
			await driver.releaseConnection(connection);
		}
	};

const onPostgres =
	(pool: PostgresPool): HostDatabase["use"] =>
	async (work) => {
		const client = await pool.connect();
		try {
			return await work({ query: async (sql) => (await client.query(sql)).rows });
		} finally {
			client.release();
		}
	};

const onMysql =
	(pool: MysqlPool): HostDatabase["use"] =>
	async (work) => {
		const connection = await pool.getConnection();
		try {
			return await work({
				query: async (sql) => {
					const [rows] = await connection.query(sql);
					return Array.isArray(rows) ? rows : [];
				},
			});
		} finally {
			connection.release();
		}
	};

const onSqlite =
	(file: SqliteFile): HostDatabase["use"] =>
	(work) =>
		work({
			query: async (sql) => {
				const statement = file.prepare(sql);
				// better-sqlite3 refuses `all` for what answers with no rows.
				if (statement.reader !== false) return statement.all();
				statement.run();
				return [];
			},
		});
