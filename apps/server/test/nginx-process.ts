import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "selfsigned";
import { onTestFinished } from "vitest";
import { canConnect, freePort } from "../../../testing/ports";
import { services } from "../../../testing/services";
import { readDeployFile } from "./deploy/deploy-files";
import { temporaryDirectory } from "./temporary-directory";

export type Nginx = {
	origin: string;
	certificate: string;
	/** Which server answered with which status, oldest first. */
	log: () => { status: number; upstream: string }[];
};

/** Starts nginx with deploy/nginx.conf, in front of servers on these ports. */
export async function startNginx(port: number, servers: [number, number]): Promise<Nginx> {
	const directory = temporaryDirectory();
	const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], {
		extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }],
	});
	writeFileSync(join(directory, "auth.crt"), cert);
	writeFileSync(join(directory, "auth.key"), key);
	const log = join(directory, "auth.log");
	appendFileSync(log, "");
	const config = readDeployFile("nginx.conf", {
		"/var/log/nginx/access.log": log,
		"/etc/nginx/tls": directory,
		"auth-1:3000": `127.0.0.1:${servers[0]}`,
		"auth-2:3000": `127.0.0.1:${servers[1]}`,
		"listen 443 ssl": `listen 127.0.0.1:${port} ssl`,
		"listen 80": `listen 127.0.0.1:${await freePort()}`,
		"worker_processes auto": "worker_processes 1",
		"http {": `http { ${temporaryPaths(directory)}`,
	});
	writeFileSync(join(directory, "nginx.conf"), config);
	await runNginx(directory, port);
	return {
		origin: `https://localhost:${port}`,
		certificate: cert,
		log: () => readFileSync(log, "utf8").split("\n").filter(Boolean).map(parseLine),
	};
}

/** nginx would write below `/var` otherwise. */
export function temporaryPaths(directory: string): string {
	return ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
		.map((kind) => {
			mkdirSync(join(directory, kind));
			return `${kind}_temp_path ${join(directory, kind)};`;
		})
		.join(" ");
}

/** Runs nginx with the `nginx.conf` of a directory until the test ends. */
export async function runNginx(directory: string, port: number): Promise<void> {
	const own = `daemon off; error_log stderr error; pid ${join(directory, "nginx.pid")};`;
	const args = ["-p", directory, "-c", join(directory, "nginx.conf"), "-g", own];
	const child = spawn(String(services.nginx), args, { stdio: ["ignore", "ignore", "pipe"] });
	let errors = "";
	child.stderr.on("data", (chunk) => {
		errors += chunk;
	});
	const exited = once(child, "close");
	onTestFinished(async () => {
		child.kill("SIGTERM");
		await exited;
	});
	while (!(await canConnect(port))) {
		if (child.exitCode !== null) throw new Error(`nginx did not start: ${errors}`);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}

/** A request that was retried names both servers. The last one answered. */
function parseLine(line: string) {
	const [, status, upstreams = ""] = / (\d{3}) \S+ upstream=(.*)$/.exec(line) ?? [];
	return { status: Number(status), upstream: upstreams.split(", ").at(-1) ?? "" };
}
