import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { canConnect, freePort } from "../../../../testing/ports";

export interface Program {
	pid: number;
	port: number;
	stop(): Promise<void>;
}

const server = fileURLToPath(new URL("../../../../apps/server/dist/main.mjs", import.meta.url));

/** The built server in a process of its own, once it accepts connections. */
export async function startServer(environment: Record<string, string>): Promise<Program> {
	const port = await freePort();
	const child = spawn(process.execPath, [server], {
		env: { PATH: process.env.PATH, NODE_ENV: "production", PORT: String(port), ...environment },
		stdio: ["ignore", "ignore", "pipe"],
	});
	return started(child, port);
}

/** The header in which the load client names its IP address: rate limits count per address. */
export const ADDRESS_HEADER = "x-load-client";

/**
 * nginx as in docs/deploy.md, without TLS: one port for each group of servers. It passes on the address
 * that the load client names as if it were that of the connection.
 */
export async function startNginx(
	binary: string,
	directory: string,
	groups: { port: number; servers: Program[] }[],
): Promise<Program> {
	for (const kind of TEMPORARY) mkdirSync(join(directory, kind));
	const paths = TEMPORARY.map((kind) => `${kind}_temp_path ${join(directory, kind)};`);
	const upstreams = groups.map(
		({ port, servers }) => `
upstream group${port} {
	zone group${port} 64k;
	${servers.map((it) => `server 127.0.0.1:${it.port} max_fails=1 fail_timeout=2s;`).join("\n\t")}
}
server { listen 127.0.0.1:${port}; location / { proxy_pass http://group${port}; } }`,
	);
	const config = `
daemon off; worker_processes 1; pid ${join(directory, "nginx.pid")}; error_log stderr error;
events { worker_connections 1024; }
http {
${paths.join("\n")}
access_log off; keepalive_requests 1000000; client_max_body_size 1m;
proxy_http_version 1.1;
proxy_set_header Connection close;
proxy_set_header Host $http_host;
proxy_set_header X-Forwarded-For $http_${ADDRESS_HEADER.replaceAll("-", "_")};
${upstreams.join("\n")}
}
`;
	writeFileSync(join(directory, "nginx.conf"), config);
	const args = ["-p", directory, "-c", join(directory, "nginx.conf")];
	const child = spawn(binary, args, { stdio: ["ignore", "ignore", "pipe"] });
	return started(child, groups[0]?.port ?? 0);
}

const TEMPORARY = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];

async function started(child: ChildProcess, port: number): Promise<Program> {
	let errors = "";
	child.stderr?.on("data", (piece) => {
		errors += piece;
	});
	const exited = once(child, "close");
	while (!(await canConnect(port))) {
		if (child.exitCode !== null) throw new Error(`${child.spawnfile} did not start: ${errors}`);
		await sleep(50);
	}
	return {
		pid: Number(child.pid),
		port,
		async stop() {
			child.kill("SIGTERM");
			await exited;
		},
	};
}
