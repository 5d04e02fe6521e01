import { existsSync } from "node:fs";
import { startChild } from "../../instruments/child-process";
import type { Load, LoadReport, SentRequest } from "../../instruments/http-load";
import { orderOf } from "../../instruments/rounds";
import { quantile } from "../../instruments/statistics";
import type { Measurement, Run } from "../../setup/measurement";
import { ADDRESS_HEADER } from "./programs";
import { addUsers, type Service, startServices } from "./service";

/** Microseconds per request, round by round. */
interface Rounds {
	time: number[];
	servers: number[];
	everything: number[];
}

export interface ProcessesFigure {
	operation: string;
	processes: number;
	/** Medians, in microseconds per request. */
	time: number;
	servers: number;
	everything: number;
	/** Requests per second of CPU time, compared with one process. */
	perCore: { servers: number; everything: number };
}

const GOAL = 0.8;
const COUNTS = [1, 2, 4];
const CONNECTIONS = 16;

/** The built server in one, two and four processes behind nginx, on one PostgreSQL and one Redis. */
export const processes: Measurement<ProcessesFigure[]> = {
	name: "processes",
	async measure(run) {
		const redis = process.env.BENCH_REDIS_URL || process.env.TEST_REDIS_URL;
		const nginx = process.env.NGINX_PATH || "/usr/sbin/nginx";
		const isLinux = existsSync("/proc/self/stat");
		if (!redis || !existsSync(nginx) || !isLinux || !run.scratch.types.includes("postgres")) {
			console.warn("\nprocesses: needs Linux, nginx, PostgreSQL and Redis; not measured");
			return [];
		}
		const postgres = await run.scratch.create("postgres");
		const { services, close } = await startServices(COUNTS, { postgres, redis, nginx });
		try {
			return await compare(run, services);
		} finally {
			await close();
		}
	},
	tables: (figures) => [
		{
			title: `Processes behind nginx: CPU ms per request, and throughput per core (goal: at least ${GOAL} of one process)`,
			columns: [
				"operation",
				"processes",
				"requests/s here",
				"CPU ms, servers",
				"CPU ms, everything",
				"per core, servers",
				"per core, everything",
				"goal",
			],
			rows: figures.map((it) => [
				it.operation,
				it.processes,
				Math.round(1e6 / it.time),
				(it.servers / 1000).toFixed(2),
				(it.everything / 1000).toFixed(2),
				it.perCore.servers.toFixed(2),
				it.perCore.everything.toFixed(2),
				verdict(it),
			]),
		},
	],
};

function verdict({ processes: count, perCore: { servers } }: ProcessesFigure): string {
	if (count === 1) return "";
	return servers >= GOAL ? "met" : `MISSED by ${(GOAL - servers).toFixed(2)}`;
}

async function compare(run: Run, services: Service[]): Promise<ProcessesFigure[]> {
	const [{ port } = { port: 0 }] = services;
	const { tenant, users } = await addUsers(port, run.quick ? 4 : 50);
	const operations: Record<string, { requests: SentRequest[]; count: number }> = {
		"get-session": {
			requests: users.map(({ cookie }) => ({
				path: "/api/auth/get-session",
				headers: { cookie },
			})),
			count: run.quick ? 100 : 2_000,
		},
		"sign-in (scrypt)": {
			requests: users.map(({ account }) => ({
				path: "/api/auth/tenant/sign-in/email",
				headers: tenant,
				body: account,
			})),
			count: run.quick ? 8 : 100,
		},
	};
	const figures: ProcessesFigure[] = [];
	for (const [operation, { requests, count }] of Object.entries(operations)) {
		const load = { requests, count, connections: CONNECTIONS, addressHeader: ADDRESS_HEADER };
		const rounds = await alternate(services, load, run.quick ? 2 : 12);
		const [one] = rounds.map(mediansOf);
		for (const [index, { processes: count }] of services.entries()) {
			const own = mediansOf(rounds[index] as Rounds);
			const perCore = {
				servers: (one?.servers ?? Number.NaN) / own.servers,
				everything: (one?.everything ?? Number.NaN) / own.everything,
			};
			figures.push({ operation, processes: count, ...own, perCore });
		}
	}
	return figures;
}

async function alternate(services: Service[], load: Omit<Load, "port">, rounds: number) {
	const client = startChild(new URL("../../instruments/http-load.ts", import.meta.url));
	const measured = services.map((): Rounds => ({ time: [], servers: [], everything: [] }));
	try {
		// The first two rounds warm up: each process gets as many requests as a single one.
		for (let round = -2; round < rounds; round += 1) {
			for (const index of orderOf(round, services.length)) {
				const { port, processes: size, usage } = services[index] as Service;
				const count = round < 0 ? load.count * size : load.count;
				const before = await usage();
				const report = await client.ask<LoadReport>({ ...load, count, port });
				const after = await usage();
				if (round < 0) continue;
				const servers = after.servers - before.servers;
				const others = after.others - before.others;
				measured[index]?.time.push(report.time / load.count);
				measured[index]?.servers.push(servers / load.count);
				measured[index]?.everything.push((servers + others + report.cpu) / load.count);
			}
		}
	} finally {
		await client.close();
	}
	return measured;
}

const mediansOf = ({ time, servers, everything }: Rounds) => ({
	time: quantile(time, 0.5),
	servers: quantile(servers, 0.5),
	everything: quantile(everything, 0.5),
});
