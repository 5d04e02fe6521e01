import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseType } from "../host/database";
import { type DatabaseServer, mysqlServer, postgresServer } from "../host/database-servers";
import type { Subject } from "../host/host";
import type { Population } from "../seeding/identities";
import { progressBar } from "../seeding/progress-bar";
import { seedDatabase } from "../seeding/seed-database";

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

export interface ScratchOptions {
	/** URLs of servers. */
	postgres?: string | undefined;
	mysql?: string | undefined;
	/** Leaves out all other databases. */
	only?: string[] | undefined;
}

/** SQLite files in a directory of their own and, where there are servers, databases on them. */
export function openScratch({ postgres, mysql, only }: ScratchOptions = {}): Scratch {
	const directory = mkdtempSync(join(tmpdir(), "better-auth-tenant-bench-"));
	const servers: Partial<Record<DatabaseType, DatabaseServer>> = {
		...(postgres ? { postgres: postgresServer(postgres) } : {}),
		...(mysql ? { mysql: mysqlServer(mysql) } : {}),
	};
	const seeded = new Map<string, Promise<string>>();
	let made = 0;

	async function create(type: DatabaseType): Promise<string> {
		const name = `bench_${process.pid}_${++made}`;
		if (type === "sqlite") return `file:${join(directory, `${name}.db`)}`;
		const server = servers[type];
		if (!server) throw new Error(`There is no ${type} server to measure on`);
		return server.create(name);
	}

	async function makeSeeded(type: DatabaseType, population: Population, subject: Subject) {
		const address = await create(type);
		const { tenants, users } = population;
		console.log(`\nseeding ${type} (${subject}): ${tenants} tenants, ${users} users`);
		await seedDatabase({ address, subject, ...population, progress: progressBar });
		return address;
	}

	return {
		types: (["sqlite", ...Object.keys(servers)] as DatabaseType[]).filter(
			(type) => !only || only.includes(type),
		),
		create,
		seeded(type, population, subject = "tenant") {
			const key = JSON.stringify([type, population.tenants, population.users, subject]);
			const address = seeded.get(key) ?? makeSeeded(type, population, subject);
			seeded.set(key, address);
			return address;
		},
		async close() {
			rmSync(directory, { recursive: true, force: true });
			for (const server of Object.values(servers)) await server.close();
		},
	};
}
