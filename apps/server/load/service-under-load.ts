import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { Client } from "pg";

const program = fileURLToPath(new URL("../dist/main.mjs", import.meta.url));
export const managementKey = "management-key-for-a-load-test";

/** Collects garbage on a signal, so that the heap contains only what the service still uses. */
const collector = "data:text/javascript,process.on('SIGUSR2',()=>globalThis.gc())";

export type StoreOptions = {
	/** The URL of a PostgreSQL server; SQLite without it. */
	postgres?: string;
	/** The URL of an empty Redis database. */
	redis?: string;
};

export type ServiceUnderLoad = {
	url: string;
	collectGarbage: () => void;
	/** Warnings and errors that it logged. */
	warnings: string[];
	/** Stops it and deletes its data. */
	stop: () => Promise<void>;
};

/** Starts the built service in its own process, on any free port. */
export async function startService(options: StoreOptions): Promise<ServiceUnderLoad> {
	const stores = await createStores(options);
	const directory = mkdtempSync(join(tmpdir(), "tenant-load-"));
	const child = spawn(process.execPath, ["--expose-gc", "--import", collector, program], {
		env: {
			PATH: process.env.PATH,
			PORT: "0",
			DATA_DIR: directory,
			BETTER_AUTH_SECRET: "a secret that only the load test uses: u7Gh",
			MANAGEMENT_KEYS: managementKey,
			...stores.environment,
		},
		stdio: ["ignore", "pipe", "pipe"],
	});
	const exited = once(child, "close");
	const warnings: string[] = [];
	createInterface({ input: child.stderr }).on("line", (line) => warnings.push(line));
	const url = new Promise<string>((resolve) => {
		createInterface({ input: child.stdout }).on("line", (line) => {
			const localUrl = /^Listening on +(\S+)$/.exec(line)?.[1];
			if (localUrl) resolve(localUrl);
			if (/"level":"(warn|error)"/.test(line)) warnings.push(line);
		});
	});
	const stop = async () => {
		child.kill("SIGTERM");
		await exited;
		rmSync(directory, { recursive: true, force: true });
		await stores.remove();
	};
	const started = await Promise.race([url, exited]);
	if (typeof started === "string") {
		return { url: started, collectGarbage: () => child.kill("SIGUSR2"), warnings, stop };
	}
	await stop();
	throw new Error(`The service did not start: ${warnings.join("\n")}`);
}

async function createStores({ postgres, redis }: StoreOptions) {
	if (redis) await requireEmpty(redis);
	const database = postgres ? await createDatabase(postgres) : null;
	return {
		/** Settings of the service. */
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

async function createDatabase(server: string) {
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

/** The database is emptied at the end, so it must not contain other data. */
async function requireEmpty(url: string): Promise<void> {
	if ((await withRedis(url, (client) => client.dbsize())) === 0) return;
	throw new Error(`${url} is not empty. Use an empty database, such as …:6379/14.`);
}

async function withRedis<T>(url: string, work: (client: Redis) => Promise<T>): Promise<T> {
	const client = new Redis(url, { maxRetriesPerRequest: 1 });
	try {
		return await work(client);
	} finally {
		client.disconnect();
	}
}
