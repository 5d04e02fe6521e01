import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { freePort } from "../../../../testing/ports";
import { services } from "../../../../testing/services";
import { temporaryDirectory } from "../temporary-directory";
import { type Program, startProgram, until } from "./own-programs";

const PROGRAM = "/usr/bin/redis-server";

/** Whether this run may start servers of Redis. */
export const hasOwnRedis = Boolean(services.redis) && existsSync(PROGRAM);

/** It waits until the server responds. */
async function runAt<T>(url: string, work: (client: Redis) => Promise<T>): Promise<T> {
	const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
	client.on("error", () => {});
	return work(client).finally(() => client.disconnect());
}

export type OwnRedis = Awaited<ReturnType<typeof ownRedis>>;

/** A Redis of the test's own, which writes a snapshot only when it is asked to. */
export async function ownRedis(options: string[] = []) {
	const port = await freePort();
	const folder = temporaryDirectory();
	const url = `redis://127.0.0.1:${port}`;
	let running: Program | null = null;

	async function start(): Promise<void> {
		const own = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder];
		running = startProgram(PROGRAM, [...own, "--repl-diskless-sync-delay", "0", ...options]);
		await run((client) => client.ping());
	}

	const kill = async () => {
		await running?.kill();
		running = null;
	};

	const run = <T>(work: (client: Redis) => Promise<T>) => runAt(url, work);

	await start();
	return { port, url, start, kill, run };
}

/** A Sentinel that watches a master with one replica, and decides alone. */
export async function ownSentinel(master: OwnRedis): Promise<{ port: number }> {
	const port = await freePort();
	const file = join(temporaryDirectory(), "sentinel.conf");
	const lines = [
		`port ${port}`,
		"bind 127.0.0.1",
		`sentinel monitor mymaster 127.0.0.1 ${master.port} 1`,
		"sentinel down-after-milliseconds mymaster 500",
		"sentinel failover-timeout mymaster 3000",
	];
	writeFileSync(file, `${lines.join("\n")}\n`);
	startProgram(PROGRAM, [file, "--sentinel"]);
	// It asks the master for its replicas.
	await runAt(`redis://127.0.0.1:${port}`, (client) =>
		until(async () => {
			const replicas = await client.call("sentinel", "replicas", "mymaster");
			return (replicas as unknown[]).length === 1;
		}),
	);
	return { port };
}

/** Three masters. The first one has a replica. */
export async function ownCluster() {
	const options = ["--cluster-enabled", "yes", "--cluster-node-timeout", "1000"];
	const nodes = await Promise.all([0, 1, 2, 3].map(() => ownRedis(options)));
	const [first, second, third, replica] = nodes as [OwnRedis, OwnRedis, OwnRedis, OwnRedis];
	const masters = [first, second, third];
	for (const [index, node] of masters.entries()) {
		const [from, to] = [Math.ceil((16384 * index) / 3), Math.ceil((16384 * (index + 1)) / 3) - 1];
		await node.run((client) => client.call("cluster", "addslotsrange", from, to));
		await node.run((client) => client.call("cluster", "set-config-epoch", index + 1));
	}
	for (const { port } of nodes.slice(1)) {
		await first.run((client) => client.call("cluster", "meet", "127.0.0.1", port));
	}
	const stateOf = (node: OwnRedis) => node.run((client) => client.cluster("INFO"));
	for (const node of nodes) {
		await until(async () => /cluster_known_nodes:4/.test(String(await stateOf(node))));
	}
	const id = await first.run((client) => client.cluster("MYID"));
	await replica.run((client) => client.cluster("REPLICATE", String(id)));
	for (const node of nodes) {
		await until(async () => /cluster_state:ok/.test(String(await stateOf(node))));
	}
	await until(async () =>
		/master_link_status:up/.test(await replica.run((client) => client.info("replication"))),
	);
	return { url: `redis-cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join()}`, nodes };
}
