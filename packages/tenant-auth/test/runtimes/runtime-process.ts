import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { RedirectedHost } from "./redirected-hosts";

export interface RunningApp {
	origin: string;
	/** The files that the runtime loaded as our packages. */
	packageUrls: string[];
	close(): Promise<void>;
}

/** Starts the app in a runtime of its own process. */
export async function startRuntime(
	program: string,
	args: readonly string[],
	server: string,
	hosts: readonly RedirectedHost[],
	environment: Record<string, string> = {},
): Promise<RunningApp> {
	const path = fileURLToPath(new URL(server, import.meta.url));
	const child = spawn(program, [...args, path], {
		// Not this process's environment: with NODE_ENV=test, Better Auth skips checks.
		env: {
			PATH: process.env.PATH,
			HOME: process.env.HOME,
			REDIRECTED_HOSTS: JSON.stringify(hosts),
			...environment,
		},
		stdio: ["ignore", "pipe", "pipe"],
	});
	const exited = once(child, "close");
	let output = "";
	for (const stream of [child.stdout, child.stderr]) {
		stream.on("data", (chunk) => {
			output += chunk;
		});
	}
	const started = new Promise<void>((resolve, reject) => {
		child.stdout.on("data", () => /^listening /m.test(output) && resolve());
		exited.then(() => reject(new Error(`The runtime did not start: ${output}`)), reject);
	});
	await started;
	return {
		origin: readLines(output, "listening").join(),
		packageUrls: readLines(output, "package"),
		async close() {
			// Not SIGKILL: miniflare must end its workerd.
			child.kill("SIGTERM");
			await exited;
		},
	};
}

function readLines(output: string, name: string): string[] {
	const lines = [...output.matchAll(new RegExp(`^${name} (.+)$`, "gm"))];
	return lines.map(([, value]) => String(value));
}
