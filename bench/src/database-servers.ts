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
		drop: (name) => `drop database ${name} with (force)`,
		end: () => pool.end(),
	});
}

/** A connection for each statement: one that is idle while SQLite is seeded would be closed. */
export function mysqlServer(url: string): DatabaseServer {
	return serverOf(url, {
		async run(statement) {
			const connection = await createConnection({ uri: url });
			await connection.query(statement);
			await connection.end();
		},
		create: (name) => `create database ${name} character set utf8mb4`,
		drop: (name) => `drop database ${name}`,
		end: async () => {},
	});
}

interface Dialect {
	run(statement: string): Promise<unknown>;
	create(name: string): string;
	drop(name: string): string;
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
			for (const name of made.splice(0)) await run(drop(name));
			await end();
		},
	};
}
