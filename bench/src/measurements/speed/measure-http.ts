import type { DatabaseType } from "../../host/database";
import { type Child, startChild } from "../../instruments/child-process";
import type { Load, LoadReport } from "../../instruments/http-load";
import { orderOf, type RoundTimes } from "../../instruments/rounds";
import type { Run } from "../../setup/measurement";
import { sessionCookie } from "../../setup/operations";
import type { ServerTask } from "./http-server";
import { type SpeedFigure, speedFigure } from "./speed-figure";
import { OVER_HTTP } from "./speed-operations";
import { VARIANT_NAMES, VARIANTS, type VariantName } from "./variants";

const CONNECTIONS = 4;
const SESSIONS = 100;

interface Server {
	name: VariantName;
	child: Child;
	port: number;
	rounds: RoundTimes;
}

/**
 * `get-session` over HTTP: each variant is a server in its own process, and the client is another one.
 * CPU time is that of the server, time is what the client sees.
 */
export async function measureHttp(
	{ quick }: Run,
	database: DatabaseType,
	addresses: Record<"plain" | "tenant", string>,
): Promise<SpeedFigure> {
	const { rounds, count, warmUp } = quick
		? { rounds: 3, count: 40, warmUp: 1 }
		: { rounds: 40, count: 200, warmUp: 5 };
	const client = startChild(new URL("../../instruments/http-load.ts", import.meta.url));
	const servers: Server[] = [];
	try {
		for (const name of VARIANT_NAMES) {
			const task: ServerTask = { variant: name, address: addresses[VARIANTS[name].subject] };
			const child = startChild(new URL("./http-server.ts", import.meta.url), task);
			servers.push({ name, child, port: 0, rounds: { time: [], cpu: [] } });
		}
		for (const server of servers) server.port = await server.child.receive<number>();
		const requests = await Promise.all(
			Array.from({ length: SESSIONS }, async (_, user) => ({
				path: "/api/auth/get-session",
				headers: await sessionCookie(user),
			})),
		);
		for (let round = -warmUp; round < rounds; round += 1) {
			for (const index of orderOf(round, servers.length)) {
				const server = servers[index] as Server;
				const load: Load = { port: server.port, requests, count, connections: CONNECTIONS };
				const before = await server.child.ask<number>({});
				const { time } = await client.ask<LoadReport>(load);
				const cpu = (await server.child.ask<number>({})) - before;
				if (round < 0) continue;
				server.rounds.time.push(time / count);
				server.rounds.cpu.push(cpu / count);
			}
		}
	} finally {
		await client.close();
		for (const { child } of servers) await child.close();
	}
	const { name: operation, goal } = OVER_HTTP;
	const measured = servers.map(({ name, rounds }) => ({ name, rounds }));
	return speedFigure({ database, operation, goal }, measured);
}
