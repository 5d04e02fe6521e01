import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from "kysely";
import Database from "libsql";
import { createPool } from "mysql2/promise";
import { Pool } from "pg";
import type { HostDatabase, Rows } from "../worlds/instance";
import type { RawRows } from "./raw-rows";

export interface OpenDatabase extends HostDatabase {
	/** What stands in it, where that is not to be asked of `db`. */
	rows?: RawRows;
	/** Drops it. */
	close(): Promise<void>;
}

const freshName = () => `tenant_auth_${Date.now()}_${Math.random().toString(36).slice(2, 8)}`;

export async function openSqlite(): Promise<OpenDatabase> {
	const dialect = new SqliteDialect({ database: new Database(":memory:") });
	const db = new Kysely<Rows>({ dialect });
	return { db, type: "sqlite", close: () => db.destroy() };
}

/** With a driver that is not installed here: `path` is where the package is. */
export async function openBetterSqlite3(path: string): Promise<OpenDatabase> {
	const { default: Driver } = await import(/* @vite-ignore */ path);
	const db = new Kysely<Rows>({ dialect: new SqliteDialect({ database: new Driver(":memory:") }) });
	return { db, type: "sqlite", close: () => db.destroy() };
}

/** With the driver that newer versions of Node bring along under that name. */
export async function openNodeSqlite(name: string): Promise<OpenDatabase> {
	const { NodeSqliteDialect } = await import("@better-auth/kysely-adapter/node-sqlite-dialect");
	const { DatabaseSync } = await import(/* @vite-ignore */ name);
	const dialect = new NodeSqliteDialect({ database: new DatabaseSync(":memory:") });
	const db = new Kysely<Rows>({ dialect });
	return { db, type: "sqlite", close: () => db.destroy() };
}

/** A database that is there already, with few connections, so that waiting for one shows. */
export function connectPostgres(url: string): OpenDatabase {
	const pool = new Pool({ connectionString: url, max: 4 });
	const db = new Kysely<Rows>({
		dialect: new PostgresDialect({ pool: new Pool({ connectionString: url, max: 2 }) }),
	});
	const close = async () => {
		await db.destroy();
		await pool.end();
	};
	return { db, type: "postgres", pool, close };
}

/** A database of its own on the server. */
export async function openPostgres(address: string): Promise<OpenDatabase & { url: string }> {
	const name = freshName();
	const server = new Pool({ connectionString: address, max: 1 });
	await server.query(`create database "${name}"`);
	const url = new URL(address);
	url.pathname = `/${name}`;
	const database = connectPostgres(url.href);
	return {
		...database,
		url: url.href,
		async close() {
			await database.close();
			await dropWhenFree(server, name);
			await server.end();
		},
	};
}

/** A pool says that it ended a moment before the server has noticed. */
async function dropWhenFree(server: Pool, name: string): Promise<void> {
	for (let attempt = 0; attempt < 50; attempt += 1) {
		const inUse = await server.query("select 1 from pg_stat_activity where datname = $1", [name]);
		if (inUse.rowCount === 0) break;
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	await server.query(`drop database "${name}"`);
}

/** A busy machine takes its time to answer. */
const connectTimeout = 60_000;

/** A database that is there already. */
export function connectMysql(url: string): OpenDatabase {
	const settings = { uri: url, connectionLimit: 4, timezone: "Z", connectTimeout };
	const pool = createPool(settings);
	const own = createPool(settings);
	// Kysely speaks to the pool of callbacks that is inside.
	const db = new Kysely<Rows>({ dialect: new MysqlDialect({ pool: own.pool as never }) });
	const close = async () => {
		await db.destroy();
		await pool.end();
	};
	return { db, type: "mysql", pool, close };
}

export async function openMysql(
	address: string,
	collation = "utf8mb4_general_ci",
): Promise<OpenDatabase> {
	const name = freshName();
	const server = createPool({ uri: address, connectionLimit: 1, connectTimeout });
	await server.query(`create database \`${name}\` character set utf8mb4 collate ${collation}`);
	const url = new URL(address);
	url.pathname = `/${name}`;
	const database = connectMysql(url.href);
	return {
		...database,
		async close() {
			await database.close();
			await server.query(`drop database \`${name}\``);
			await server.end();
		},
	};
}
