import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createConnection } from "mysql2/promise";
import { freePort } from "../../../../testing/ports";
import { readDeployFile } from "../deploy/deploy-files";
import { directoryOf, runProgram, startProgram, until, userFor } from "./own-programs";

type GaleraNode = {
	url: string;
	/** Where other nodes reach it. */
	groupAddress: string;
	/** Runs a statement at this node. */
	run: (text: string) => Promise<object[]>;
	kill: () => Promise<void>;
};

/** A node with deploy/high-availability/galera.cnf. */
async function startNode(
	user: ReturnType<typeof userFor>,
	name: string,
	first?: GaleraNode,
): Promise<GaleraNode> {
	const folder = directoryOf(user);
	const data = join(folder, "data");
	const [port, group, incremental, transfer] = await Promise.all([
		...[freePort(), freePort(), freePort(), freePort()],
	]);
	if (!first) {
		await runProgram("/usr/bin/mariadb-install-db", [
			...["--no-defaults", `--datadir=${data}`, "--skip-test-db"],
			...["--auth-root-authentication-method=normal", "--user=mysql"],
		]);
	} else {
		await runProgram("/bin/mkdir", [data], user);
	}
	const address = (number: number | undefined) => `127.0.0.1:${number}`;
	const file = join(folder, "galera.cnf");
	const config = readDeployFile("high-availability/galera.cnf", {
		"bind_address = 10.0.0.31": "bind_address = 127.0.0.1",
		"10.0.0.31,10.0.0.32,10.0.0.33": first?.groupAddress ?? "",
		"wsrep_node_name = galera-1": `wsrep_node_name = ${name}`,
		"wsrep_node_address = 10.0.0.31": `wsrep_node_address = ${address(group)}`,
	});
	writeFileSync(file, config);
	const { kill } = startProgram(
		"/usr/sbin/mariadbd",
		[
			...[`--defaults-file=${file}`, `--datadir=${data}`, `--port=${port}`],
			...[`--socket=${join(folder, "socket")}`, `--pid-file=${join(folder, "pid")}`],
			...["--innodb-buffer-pool-size=32M", "--innodb-flush-log-at-trx-commit=0"],
			"--skip-name-resolve",
			`--wsrep-provider-options=gcache.size=32M;gmcast.listen_addr=tcp://${address(group)};ist.recv_addr=${address(incremental)}`,
			`--wsrep-sst-receive-address=${address(transfer)}`,
			...(first ? [] : ["--wsrep-new-cluster"]),
		],
		user,
	);
	const run = async (text: string): Promise<object[]> => {
		const socketPath = join(folder, "socket");
		const connection = await createConnection({ socketPath, user: "root" });
		return connection
			.query(text)
			.then(([rows]) => rows as object[])
			.finally(() => connection.destroy());
	};
	const isSynced = "show status like 'wsrep_local_state_comment'";
	await until(() =>
		run(isSynced).then(
			([row]) => Object.values(row ?? {}).includes("Synced"),
			() => false,
		),
	);
	return { url: `mysql://auth@127.0.0.1:${port}/auth`, groupAddress: address(group), run, kill };
}

/** Three nodes that all write, with an empty database. */
export async function ownGalera(): Promise<[GaleraNode, GaleraNode, GaleraNode]> {
	const user = userFor("mysql");
	const first = await startNode(user, "one");
	await first.run("create user auth@'%'");
	await first.run("grant all on auth.* to auth@'%'");
	await first.run("create database auth character set utf8mb4");
	// One after the other: each gets the data of the first.
	const second = await startNode(user, "two", first);
	return [first, second, await startNode(user, "three", first)];
}
