import { Redis } from "ioredis";
import { Client } from "pg";
import type { LoadOptions } from "./options";

export type Stores = {
	/** The settings of a service on them. */
	environment: Record<string, string>;
	/** Leaves them as they were found. */
	remove: () => Promise<void>;
};

export async function makeStores({ postgres, redis }: LoadOptions): Promise<Stores> {
	if (redis) await requireEmpty(redis);
	const database = postgres ? await makeDatabase(postgres) : null;
	return {
		environment: {
			...(database ? { DATABASE_URL: database.url } : {}),
			...(redis ? { REDIS_URL: redis } : {}),
		},
		remove: async () => {
			await database?.drop();
			if (redis) await withRedis(redis, (client) => client.flushdb());
		},
	};
}

async function makeDatabase(server: string) {
	const name = `load_${Date.now()}`;
	const run = async (sql: string) => {
		const client = new Client({ connectionString: server });
		await client.connect();
		await client.query(sql).finally(() => client.end());
	};
	await run(`create database ${name}`);
	const url = new URL(server);
	url.pathname = name;
	return { url: url.href, drop: () => run(`drop database ${name} with (force)`) };
}

/** It is emptied in the end: what is in it must be nobody's. */
async function requireEmpty(url: string): Promise<void> {
	if ((await withRedis(url, (client) => client.dbsize())) === 0) return;
	throw new Error(`There is something in ${url}: name an empty database, such as …:6379/14.`);
}

async function withRedis<T>(url: string, work: (client: Redis) => Promise<T>): Promise<T> {
	const client = new Redis(url, { maxRetriesPerRequest: 1 });
	try {
		return await work(client);
	} finally {
		client.disconnect();
	}
}
