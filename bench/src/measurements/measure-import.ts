import { type ImportedUser, importUsers } from "better-auth-tenant/imports";
import { type DatabaseType, openDatabase } from "../host/database";
import { makeHost, migrate } from "../host/host";
import { type MemoryWatch, watchMemory } from "../instruments/memory-watch";
import type { Measurement, Run } from "../setup/measurement";

interface ImportFigures extends MemoryWatch {
	type: DatabaseType;
	users: number;
	seconds: number;
	/** The same lines once more: nothing changes. */
	secondsAgain: number;
}

/** Imports users with a password and a social account into an empty tenant. */
export const imports: Measurement<ImportFigures[]> = {
	name: "import",
	async measure(run) {
		const figures: ImportFigures[] = [];
		for (const type of run.scratch.types) figures.push(await measureOn(type, run));
		return figures;
	},
	tables: (figures) => [
		{
			title: "Users are imported with a password and a social account; the memory in MB",
			columns: ["database", "users", "seconds", "again", "heap", "at most", "RSS", "at most"],
			rows: figures.map((it) => [
				...[it.type, it.users, it.seconds, it.secondsAgain],
				...[it.heapBefore, it.heapAtMost, it.residentBefore, it.residentAtMost],
			]),
		},
	],
};

async function measureOn(type: DatabaseType, { scratch, quick }: Run): Promise<ImportFigures> {
	const users = quick ? 1_000 : 100_000;
	const database = openDatabase(await scratch.create(type));
	const imports = { passwordHashes: { bcrypt: { verify: () => false } } };
	await migrate(database, { subject: "tenant", imports });
	const auth = makeHost(database, { subject: "tenant", imports });
	const { id } = await auth.api.createTenant({ body: { name: "Acme", slug: "acme" } });

	async function run(wanted: string): Promise<number> {
		const began = performance.now();
		const lines = linesOf(users);
		for await (const { status, code } of importUsers(auth, { tenantId: id, lines })) {
			if (status !== wanted) throw new Error(`A line is ${status}, not ${wanted}: ${code}`);
		}
		return Math.round((performance.now() - began) / 100) / 10;
	}

	const memory = watchMemory(2_000);
	const seconds = await run("created");
	const secondsAgain = await run("unchanged");
	const figures = { type, users, seconds, secondsAgain, ...memory.stop() };
	await database.close();
	return figures;
}

function* linesOf(users: number): Generator<ImportedUser> {
	for (let n = 0; n < users; n += 1) {
		yield {
			externalId: `auth0|${n}`,
			email: `user-${n}@example.com`,
			name: `User ${n}`,
			emailVerified: true,
			createdAt: "2024-02-29T12:00:00Z",
			password: {
				kind: "bcrypt",
				hash: "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy",
			},
			accounts: [{ providerId: "google", accountId: String(1_000_000 + n) }],
		};
	}
}
