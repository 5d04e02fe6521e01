import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import type { DatabaseType } from "./database";
import type { Subject } from "./host";
import type { Population } from "./seeding/identities";
import { progressBar } from "./seeding/progress-bar";
import { seedDatabase } from "./seeding/seed-database";

/** Databases that exist for one run. */
export interface Scratch {
	/** Those that can be measured on. */
	types: DatabaseType[];
	/** The address of an empty one. */
	create(type: DatabaseType): Promise<string>;
	/** The address of a seeded one; asked for again, it is the same. */
	seeded(type: DatabaseType, population: Population, subject?: Subject): Promise<string>;
	close(): Promise<void>;
}

/** SQLite files in a directory of their own and, where there is a server, databases on it. */
export function openScratch(postgres: string | undefined): Scratch {
	const directory = mkdtempSync(join(tmpdir(), "better-auth-tenant-bench-"));
	const server = postgres ? new Pool({ connectionString: postgres, max: 1 }) : undefined;
	const onServer: string[] = [];
	const seeded = new Map<string, Promise<string>>();
	let made = 0;

	async function create(type: DatabaseType): Promise<string> {
		const name = `bench_${process.pid}_${++made}`;
		if (type === "sqlite") return `file:${join(directory, `${name}.db`)}`;
		if (!server) throw new Error("There is no PostgreSQL to measure on");
		await server.query(`create database ${name}`);
		onServer.push(name);
		const url = new URL(String(postgres));
		url.pathname = `/${name}`;
		return url.href;
	}

	async function makeSeeded(type: DatabaseType, population: Population, subject: Subject) {
		const address = await create(type);
		const { tenants, users } = population;
		console.log(`\nseeding ${type} (${subject}): ${tenants} tenants, ${users} users`);
		await seedDatabase({ address, subject, ...population, progress: progressBar });
		return address;
	}

	return {
		types: server ? ["sqlite", "postgres"] : ["sqlite"],
		create,
		seeded(type, population, subject = "tenant") {
			const key = JSON.stringify([type, population.tenants, population.users, subject]);
			const address = seeded.get(key) ?? makeSeeded(type, population, subject);
			seeded.set(key, address);
			return address;
		},
		async close() {
			rmSync(directory, { recursive: true, force: true });
			for (const name of onServer) await server?.query(`drop database ${name} with (force)`);
			await server?.end();
		},
	};
}
