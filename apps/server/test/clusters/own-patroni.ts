import { readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { onTestFinished } from "vitest";
import { freePort } from "../../../../testing/ports";
import { readDeployFile } from "../deploy/deploy-files";
import { temporaryDirectory } from "../temporary-directory";
import { postgresPrograms } from "./own-postgres";
import { directoryOf, startProgram, until, userFor } from "./own-programs";

const FOLDER = "high-availability";
const HAPROXY = "/usr/sbin/haproxy";

type Node = {
	name: string;
	port: number;
	/** Where Patroni responds. */
	restPort: number;
	/** Kills Patroni and its PostgreSQL. */
	kill: () => Promise<void>;
};

/** @returns the address of clients */
async function ownEtcd(): Promise<string> {
	const [clients, peers] = [await freePort(), await freePort()];
	const urlOf = (port: number) => `http://127.0.0.1:${port}`;
	startProgram(
		"/usr/bin/etcd",
		[
			...["--name", "etcd-1", "--data-dir", join(temporaryDirectory(), "data")],
			...["--listen-client-urls", urlOf(clients), "--advertise-client-urls", urlOf(clients)],
			...["--listen-peer-urls", urlOf(peers), "--initial-advertise-peer-urls", urlOf(peers)],
			...["--initial-cluster", `etcd-1=${urlOf(peers)}`],
		],
		// etcd 3.4 wants to be told that it may run on other processors.
		process.arch === "x64" ? {} : { env: { ETCD_UNSUPPORTED_ARCH: process.arch } },
	);
	await until(() => isOk(`${urlOf(clients)}/health`));
	return `127.0.0.1:${clients}`;
}

const isOk = (url: string) =>
	fetch(url).then(
		({ ok }) => ok,
		() => false,
	);

/** A node with deploy/high-availability/patroni.yaml. */
async function startNode(name: string, etcd: string): Promise<Node> {
	const user = userFor("postgres");
	const folder = directoryOf(user);
	const data = join(folder, "data");
	const [port, restPort] = [await freePort(), await freePort()];
	const file = join(folder, "patroni.yaml");
	const config = readDeployFile(`${FOLDER}/patroni.yaml`, {
		"name: pg-1": `name: ${name}`,
		"10.0.0.31:8008": `127.0.0.1:${restPort}`,
		"10.0.0.31:5432": `127.0.0.1:${port}`,
		"10.0.0.41:2379,10.0.0.42:2379,10.0.0.43:2379": etcd,
		"10.0.0.0/24": "127.0.0.1/32",
		"/var/lib/postgresql/17/auth": data,
		"/usr/lib/postgresql/17/bin": postgresPrograms(),
		// How often Patroni looks. It finds the standby sooner.
		"loop_wait: 5": "loop_wait: 1",
		"max_connections: 100": `max_connections: 60\n        unix_socket_directories: ${folder}`,
	});
	writeFileSync(file, config);
	// Registered before Patroni: it ends what Patroni has started, when Patroni has ended.
	onTestFinished(() => killProcessesIn(data));
	const env = { ...process.env, HOME: folder };
	const patroni = startProgram("/usr/bin/patroni", [file], { ...user, env });
	await until(async () => {
		patroni.check();
		return isOk(`http://127.0.0.1:${restPort}/health`);
	});
	const kill = async () => {
		await patroni.kill();
		await killProcessesIn(data);
	};
	return { name, port, restPort, kill };
}

/** PostgreSQL is not a child of Patroni, and all its processes work in the folder of its data. */
async function killProcessesIn(folder: string): Promise<void> {
	const find = () => readdirSync("/proc").filter((name) => /^\d+$/.test(name) && worksIn(name));
	const worksIn = (id: string) => {
		try {
			return readlinkSync(`/proc/${id}/cwd`) === folder;
		} catch {
			return false;
		}
	};
	await until(async () => {
		const ids = find();
		for (const id of ids) killIfThere(Number(id));
		return ids.length === 0;
	});
}

function killIfThere(id: number): void {
	try {
		process.kill(id, "SIGKILL");
	} catch {
		// It has ended.
	}
}

/** HAProxy with deploy/high-availability/haproxy.cfg, in front of two nodes. */
async function ownHaproxy(nodes: [Node, Node]): Promise<number> {
	const port = await freePort();
	const file = join(temporaryDirectory(), "haproxy.cfg");
	const address = (node: Node) => `127.0.0.1:${node.port} check port ${node.restPort}`;
	const config = readDeployFile(`${FOLDER}/haproxy.cfg`, {
		"user haproxy": `uid ${process.getuid?.()}`,
		"group haproxy": `gid ${process.getgid?.()}`,
		"bind 10.0.0.20:5432": `bind 127.0.0.1:${port}`,
		"10.0.0.31:5432 check port 8008": address(nodes[0]),
		"10.0.0.32:5432 check port 8008": address(nodes[1]),
	});
	writeFileSync(file, config);
	startProgram(HAPROXY, ["-db", "-f", file]);
	return port;
}

type Member = { name: string; role: string; state: string };

/** Two PostgreSQL nodes with Patroni and etcd, and one address for both. */
export async function ownPatroni() {
	const etcd = await ownEtcd();
	const nodes: [Node, Node] = [await startNode("pg-1", etcd), await startNode("pg-2", etcd)];
	const port = await ownHaproxy(nodes);
	const url = `postgres://postgres:replace-superuser@127.0.0.1:${port}`;

	/** The role of each node, as one of them sees it. */
	async function roles(): Promise<Record<string, Node>> {
		for (const { restPort } of nodes) {
			const response = await fetch(`http://127.0.0.1:${restPort}/cluster`).catch(() => null);
			const { members = [] } = ((await response?.json()) ?? {}) as { members?: Member[] };
			const running = members.filter(({ state }) => /running|streaming/.test(state));
			if (response?.ok) {
				return Object.fromEntries(
					running.map(({ name, role }) => [role, nodes[name === "pg-1" ? 0 : 1]]),
				);
			}
		}
		return {};
	}
	const hasStandby = async () => {
		const { leader, sync_standby: standby } = await roles();
		return Boolean(leader && standby);
	};

	/** Waits until the address leads to a node that writes, other than before. */
	const untilLedBy = ({ port: nodePort }: Node) =>
		until(() =>
			query(
				`${url}/postgres`,
				"select current_setting('port') as port where not pg_is_in_recovery()",
			).then(
				([row]) => Number(row?.port) === nodePort,
				() => false,
			),
		);

	async function sides(): Promise<{ primary: Node; standby: Node }> {
		await until(hasStandby);
		const { leader, sync_standby: standby } = await roles();
		if (!leader || !standby) throw new Error("There is no standby");
		return { primary: leader, standby };
	}

	await untilLedBy((await sides()).primary);
	await query(`${url}/postgres`, "create database auth");
	return {
		url: `${url}/auth`,
		/** Kills the primary, and waits until the standby has taken over. */
		killPrimary: async () => {
			const { primary, standby } = await sides();
			await primary.kill();
			await untilLedBy(standby);
		},
		/** Makes the standby the primary, as for maintenance. */
		switchOver: async () => {
			const { primary, standby } = await sides();
			const response = await fetch(`http://127.0.0.1:${primary.restPort}/switchover`, {
				method: "POST",
				headers: { authorization: `Basic ${btoa("patroni:replace-restapi")}` },
				body: JSON.stringify({ leader: primary.name, candidate: standby.name }),
			});
			if (!response.ok) throw new Error(`No switchover: ${await response.text()}`);
			await untilLedBy(standby);
		},
	};
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
	const client = new Client({ connectionString: url });
	client.on("error", () => {});
	await client.connect();
	return client
		.query(text)
		.then(({ rows }) => rows)
		.finally(() => client.end());
}
