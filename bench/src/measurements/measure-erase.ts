import { setTimeout as sleep } from "node:timers/promises";
import { Kysely } from "kysely";
import Libsql from "libsql";
import { ReadWriteDialect } from "../../../apps/server/src/database/read-write-dialect";
import {
	type DatabaseType,
	type OpenDatabase,
	openDatabase,
	type Rows,
	typeOf,
} from "../host/database";
import { MANAGEMENT_KEY, makeHost, ORIGIN } from "../host/host";
import { type Latencies, probe } from "../instruments/latency-probe";
import { type MemoryWatch, watchMemory } from "../instruments/memory-watch";
import { tenantId } from "../seeding/identities";
import type { Measurement, Run } from "../setup/measurement";
import { type Host, perform, tenantOperations } from "../setup/operations";

type Watched = "get-session" | "sign-in";

export interface EraseFigures extends MemoryWatch {
	type: DatabaseType;
	users: number;
	seconds: number;
	/** Those of the other tenant among them. */
	statements: number;
	/** How long another tenant waits, before and while the first is deleted. */
	idle: Record<Watched, Latencies>;
	during: Record<Watched, Latencies>;
}

/** The first is deleted, the second looked at. */
const tenants = 2;

/** Deletes a tenant of many users, on SQLite with the server's own dialect. */
export const erase: Measurement<EraseFigures[]> = {
	name: "erase",
	async measure(run) {
		const figures: EraseFigures[] = [];
		for (const type of run.scratch.types) figures.push(await measureOn(type, run));
		return figures;
	},
	tables: (figures) => [
		{
			title: "A tenant is deleted: what another one waits, ms (goal: p99 at most twice)",
			columns: ["database", "operation", "idle p99", "during p99", "times", "longest", "calls"],
			rows: figures.flatMap(({ type, idle, during }) =>
				(Object.keys(idle) as Watched[]).map((name) => [
					...[type, name, idle[name].p99, during[name].p99],
					`${(during[name].p99 / idle[name].p99).toFixed(2)}${during[name].p99 <= 2 * idle[name].p99 ? "" : " MISSED"}`,
					...[during[name].longest, during[name].calls],
				]),
			),
		},
		{
			title: "Its cost, and the process's memory meanwhile in MB",
			columns: ["database", "users", "seconds", "statements", "heap", "at most", "RSS", "at most"],
			rows: figures.map((it) => [
				...[it.type, it.users, it.seconds, it.statements],
				...[it.heapBefore, it.heapAtMost, it.residentBefore, it.residentAtMost],
			]),
		},
	],
};

async function measureOn(type: DatabaseType, { scratch, quick }: Run): Promise<EraseFigures> {
	const users = quick ? 500 : 100_000;
	const population = { tenants, users: users * tenants };
	let statements = 0;
	const database = open(await scratch.seeded(type, population), () => {
		statements += 1;
	});
	const host = makeHost(database, { subject: "tenant" });
	const watch = watcher(host, population);

	await watch(quick ? 200 : 3_000);
	const idle = await watch(quick ? 500 : 20_000);

	const memory = watchMemory(5_000);
	statements = 0;
	const began = performance.now();
	const erased = perform(host, deletion()).then(() => (performance.now() - began) / 1000);
	const during = await watch(erased);
	const seconds = Math.round((await erased) * 10) / 10;
	const figures = { type, users, seconds, statements, idle, during, ...memory.stop() };
	await database.close();
	return figures;
}

/** Reads sessions and signs in, in the tenant that stays, until `end`. */
function watcher(host: Host, population: { tenants: number; users: number }) {
	const operations = tenantOperations(host, population);
	const kept = (n: number) => (n * tenants + 1) % population.users;
	const probeOf = (name: Watched, everyMs: number) =>
		probe(async (n) => perform(host, await operations[name](kept(n))), everyMs);
	return async (end: number | Promise<unknown>): Promise<Record<Watched, Latencies>> => {
		const [sessions, signIns] = [probeOf("get-session", 25), probeOf("sign-in", 100)];
		await (typeof end === "number" ? sleep(end) : end);
		return { "get-session": await sessions.stop(), "sign-in": await signIns.stop() };
	};
}

const deletion = () =>
	new Request(`${ORIGIN}/api/auth/tenant/delete`, {
		method: "POST",
		headers: {
			"content-type": "application/json",
			authorization: `Bearer ${MANAGEMENT_KEY}`,
		},
		body: JSON.stringify({ tenantId: tenantId(0) }),
	});

function open(address: string, onStatement: () => void): OpenDatabase {
	if (typeOf(address) !== "sqlite") return openDatabase(address, { onStatement });
	const file = address.slice("file:".length);
	const dialect = new ReadWriteDialect({ open: () => new Libsql(file), timeoutMs: 15_000 });
	const db = new Kysely<Rows>({ dialect, log: onStatement });
	return { db, type: "sqlite", close: () => db.destroy() };
}
