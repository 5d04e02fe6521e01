import { setTimeout } from "node:timers/promises";
import { createConnection } from "mysql2/promise";
import { Pool } from "pg";

/** A database server on which databases exist for one run. */
export interface DatabaseServer {
	/** Makes an empty database, and returns its address. */
	create(name: string): Promise<string>;
	/** Drops what was made. */
	close(): Promise<void>;
}

export function postgresServer(url: string): DatabaseServer {
	const pool = new Pool({ connectionString: url, max: 1 });
	return serverOf(url, {
		run: (statement) => pool.query(statement),
		create: (name) => `create database ${name}`,
		drop: async (name) => {
			await waitUntilUnused(pool, name);
			await pool.query(`drop database ${name} with (force)`);
		},
		end: () => pool.end(),
	});
}

/** A pool says that it has ended a moment before the server notices. Its connections would fail. */
async function waitUntilUnused(server: Pool, name: string): Promise<void> {
	for (let attempt = 0; attempt < 100; attempt += 1) {
		const used = await server.query("select 1 from pg_stat_activity where datname = $1", [name]);
		if (used.rowCount === 0) return;
		await setTimeout(20);
	}
}

/** A connection for each statement: one that is idle while SQLite is seeded would be closed. */
export function mysqlServer(url: string): DatabaseServer {
	const run = async (statement: string) => {
		const connection = await createConnection({ uri: url });
		await connection.query(statement);
		await connection.end();
	};
	return serverOf(url, {
		run,
		create: (name) => `create database ${name} character set utf8mb4`,
		drop: (name) => run(`drop database ${name}`),
		end: async () => {},
	});
}

interface Dialect {
	run(statement: string): Promise<unknown>;
	create(name: string): string;
	drop(name: string): Promise<void>;
	end(): Promise<void>;
}

function serverOf(url: string, { run, create, drop, end }: Dialect): DatabaseServer {
	const made: string[] = [];
	return {
		async create(name) {
			await run(create(name));
			made.push(name);
			const address = new URL(url);
			address.pathname = `/${name}`;
			return address.href;
		},
		async close() {
			for (const name of made.splice(0)) await drop(name);
			await end();
		},
	};
}
