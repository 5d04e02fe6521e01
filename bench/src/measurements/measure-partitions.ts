import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { type OpenDatabase, openDatabase } from "../host/database";
import { spreadOf } from "../instruments/statistics";
import { sessionToken, tenantId, userId } from "../seeding/identities";
import { seedDatabase } from "../seeding/seed-database";
import type { Measurement, Run } from "../setup/measurement";

interface Lookup {
	partitions: number;
	lookup: string;
	/** Pages that the database reads for it. */
	pages: number;
	planning: number;
	execution: number;
}

const script = readFileSync(new URL("../../../docs/partitions.sql", import.meta.url), "utf8");

/** What a lookup costs in tables with hash partitions by tenant, with the tenant and without. */
export const partitions: Measurement<Lookup[]> = {
	name: "partitions",
	async measure(run) {
		if (!run.scratch.types.includes("postgres")) return [];
		const found: Lookup[] = [];
		for (const count of [1, 16, 64]) found.push(...(await measureOn(run, count)));
		return found;
	},
	tables: (lookups) => [
		{
			title: "Lookups in partitions",
			columns: ["partitions", "lookup", "pages", "planning ms", "execution ms"],
			rows: lookups.map(({ partitions, lookup, pages, planning, execution }) => [
				...[partitions, lookup, pages],
				...[planning.toFixed(3), execution.toFixed(3)],
			]),
		},
	],
};

async function measureOn({ scratch, quick }: Run, count: number): Promise<Lookup[]> {
	const address = await scratch.create("postgres");
	const users = quick ? 2000 : 20_000;
	const tenants = users / 10;
	await seedDatabase({ address, tenants, users });
	const database = openDatabase(address);
	if (count > 1) {
		await sql
			.raw(script.replace("parts constant int := 16", `parts constant int := ${count}`))
			.execute(database.db);
	}
	await sql`vacuum analyze`.execute(database.db);
	const lookups: Lookup[] = [];
	const one = (n: number) => ({
		user: userId(n),
		token: sessionToken(n),
		of: tenantId(n % tenants),
	});
	for (const [lookup, query] of Object.entries(queries)) {
		const runs: Omit<Lookup, "partitions" | "lookup">[] = [];
		for (let n = 0; n < (quick ? 3 : 51); n += 1) {
			runs.push(await explainAnalyze(database, query(one((n * 7919) % users))));
		}
		const middle = (of: (run: (typeof runs)[number]) => number) => spreadOf(runs.map(of)).median;
		lookups.push({
			...{ partitions: count, lookup },
			pages: middle((it) => it.pages),
			planning: middle((it) => it.planning),
			execution: middle((it) => it.execution),
		});
	}
	await database.close();
	return lookups;
}

interface Person {
	user: string;
	token: string;
	/** The tenant. */
	of: string;
}

const queries: Record<string, (person: Person) => ReturnType<typeof sql>> = {
	"session by token": ({ token }) => sql`select * from session where token = ${token}`,
	"session by token and tenant": ({ token, of }) =>
		sql`select * from session where token = ${token} and "tenantId" = ${of}`,
	"user by id": ({ user }) => sql`select * from "user" where id = ${user}`,
	"user by id and tenant": ({ user, of }) =>
		sql`select * from "user" where id = ${user} and "tenantId" = ${of}`,
};

async function explainAnalyze({ db }: OpenDatabase, query: ReturnType<typeof sql>) {
	interface Explained {
		Plan: { "Shared Hit Blocks": number; "Shared Read Blocks": number };
		"Planning Time": number;
		"Execution Time": number;
	}
	const { rows } = await sql<{ "QUERY PLAN": [Explained] }>`
		explain (analyze, buffers, format json) ${query}`.execute(db);
	const [explained] = rows[0]?.["QUERY PLAN"] ?? [];
	if (!explained) throw new Error("There is no plan");
	const { Plan: plan } = explained;
	return {
		pages: plan["Shared Hit Blocks"] + plan["Shared Read Blocks"],
		planning: explained["Planning Time"],
		execution: explained["Execution Time"],
	};
}
