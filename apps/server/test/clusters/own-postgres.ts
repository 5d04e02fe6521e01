import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { freePort } from "../../../../testing/ports";
import {
	directoryOf,
	type Program,
	runProgram,
	startProgram,
	until,
	userFor,
} from "./own-programs";

/** The folder of PostgreSQL's programs, which Debian does not put into the path. */
export function postgresPrograms(): string {
	const root = "/usr/lib/postgresql";
	const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
	return join(root, versions[0] ?? "", "bin");
}

/** A primary, and a replica that every commit waits for. */
export async function ownPostgres() {
	const user = userFor("postgres");
	const bin = postgresPrograms();
	const ports = { primary: await freePort(), replica: await freePort() };
	const folder = directoryOf(user);
	const folders = { primary: join(folder, "primary"), replica: join(folder, "replica") };
	const urlOf = (port: number, name: string) => `postgres://postgres@127.0.0.1:${port}/${name}`;

	const start = (name: "primary" | "replica", settings: string[] = []): Program => {
		const own = [
			...["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"],
			...["shared_buffers=16MB", "max_connections=60", ...settings],
		];
		const args = ["-D", folders[name], "-p", String(ports[name])];
		return startProgram(
			join(bin, "postgres"),
			[...args, ...own.flatMap((setting) => ["-c", setting])],
			user,
		);
	};
	const query = async (port: number, text: string): Promise<unknown[]> => {
		const client = new Client({ connectionString: urlOf(port, "postgres") });
		await client.connect();
		return client
			.query(text)
			.then(({ rows }) => rows)
			.finally(() => client.end());
	};
	const succeeds = (port: number, text: string) =>
		query(port, text).then(
			(rows) => rows.length > 0,
			() => false,
		);

	await runProgram(
		join(bin, "initdb"),
		["-D", folders.primary, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"],
		user,
	);
	const primary = start("primary", ["synchronous_standby_names=*"]);
	await until(() => succeeds(ports.primary, "select 1"));
	const from = ["-h", "127.0.0.1", "-p", String(ports.primary), "-U", "postgres"];
	const copy = ["-D", folders.replica, "-R", "-X", "stream", "--checkpoint=fast", "--no-sync"];
	await runProgram(join(bin, "pg_basebackup"), [...from, ...copy], user);
	start("replica");
	const isSynchronous = "select 1 from pg_stat_replication where sync_state = 'sync'";
	await until(() => succeeds(ports.primary, isSynchronous));
	await query(ports.primary, "create database auth");
	return {
		url: urlOf(ports.primary, "auth"),
		/** Kills the primary and promotes the replica. */
		failOver: async (): Promise<string> => {
			await primary.kill();
			await query(ports.replica, "select pg_promote()");
			return urlOf(ports.replica, "auth");
		},
	};
}
