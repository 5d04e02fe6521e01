import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { freePort } from "../../../../testing/ports";
import { services } from "../../../../testing/services";
import { readDeployFile } from "../deploy/deploy-files";
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

/**
 * A Redis of the test's own, which writes a snapshot only when it is asked to.
 *
 * @param options may start with the path of a file
 */
export async function ownRedis(options: string[] = [], password = "") {
	const port = await freePort();
	const folder = temporaryDirectory();
	const url = `redis://${password && `:${password}@`}127.0.0.1:${port}`;
	let running: Program | null = null;

	async function start(): Promise<void> {
		const own = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder];
		running = startProgram(PROGRAM, [...options, ...own, "--repl-diskless-sync-delay", "0"]);
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

/** The password in deploy/high-availability/redis.conf and sentinel.conf. */
const PASSWORD = "replace-redis";

/** A master with two replicas, with deploy/high-availability/redis.conf. */
export async function ownReplicatedRedis() {
	const file = join(temporaryDirectory(), "redis.conf");
	writeFileSync(file, readDeployFile("high-availability/redis.conf", { "10.0.0.21": "127.0.0.1" }));
	const master = await ownRedis([file], PASSWORD);
	const replicas = await Promise.all(
		[1, 2].map(() => ownRedis([file, "--replicaof", `127.0.0.1 ${master.port}`], PASSWORD)),
	);
	await until(async () => {
		const found = await master.run((client) => client.info("replication"));
		return replicas.every(({ port }) => found.includes(`port=${port},state=online`));
	});
	return { master, replicas, password: PASSWORD };
}

/** A Sentinel with deploy/high-availability/sentinel.conf, which decides alone and soon. */
export async function ownSentinel(master: OwnRedis, replicas = 1): Promise<{ port: number }> {
	const port = await freePort();
	const file = join(temporaryDirectory(), "sentinel.conf");
	const config = readDeployFile("high-availability/sentinel.conf", {
		"bind 10.0.0.21": "bind 127.0.0.1",
		"port 26379": `port ${port}`,
		"10.0.0.21 6379 2": `127.0.0.1 ${master.port} 1`,
		"mymaster 5000": "mymaster 500",
		"mymaster 30000": "mymaster 3000",
		// A Redis without a password refuses one.
		...(master.url.includes("@") ? {} : { [`sentinel auth-pass mymaster ${PASSWORD}`]: "" }),
	});
	writeFileSync(file, config);
	startProgram(PROGRAM, [file, "--sentinel"]);
	// It asks the master for its replicas.
	await runAt(`redis://127.0.0.1:${port}`, (client) =>
		until(async () => {
			const found = await client.call("sentinel", "replicas", "mymaster");
			return (found as unknown[]).length === replicas;
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
