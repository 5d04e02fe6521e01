import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { LoadOptions } from "./options";
import { makeStores } from "./stores";

const program = fileURLToPath(new URL("../dist/main.mjs", import.meta.url));
export const managementKey = "management-key-for-a-load-test";

/** A signal collects garbage: what is left on the heap then is what the service really holds. */
const collector = "data:text/javascript,process.on('SIGUSR2',()=>globalThis.gc())";

export type ServiceUnderLoad = {
	url: string;
	collectGarbage: () => void;
	/** Warnings and errors that it logged. */
	complaints: string[];
	/** Ends it and takes away all that was made for it. */
	stop: () => Promise<void>;
};

/** The built service as a process of its own, on any free port of this machine. */
export async function startService(options: LoadOptions): Promise<ServiceUnderLoad> {
	const stores = await makeStores(options);
	const directory = mkdtempSync(join(tmpdir(), "tenant-load-"));
	const child = spawn(process.execPath, ["--expose-gc", "--import", collector, program], {
		env: {
			PATH: process.env.PATH,
			PORT: "0",
			DATA_DIR: directory,
			BETTER_AUTH_SECRET: "a secret for the load test, and not for more: u7Gh",
			MANAGEMENT_KEYS: managementKey,
			...stores.environment,
		},
		stdio: ["ignore", "pipe", "pipe"],
	});
	const exited = once(child, "close");
	const complaints: string[] = [];
	createInterface({ input: child.stderr }).on("line", (line) => complaints.push(line));
	const url = new Promise<string>((resolve) => {
		createInterface({ input: child.stdout }).on("line", (line) => {
			const address = /^Listening on +(\S+)$/.exec(line)?.[1];
			if (address) resolve(address);
			if (/"level":"(warn|error)"/.test(line)) complaints.push(line);
		});
	});
	const stop = async () => {
		child.kill("SIGTERM");
		await exited;
		rmSync(directory, { recursive: true, force: true });
		await stores.remove();
	};
	const started = await Promise.race([url, exited]);
	if (typeof started === "string") {
		return { url: started, collectGarbage: () => child.kill("SIGUSR2"), complaints, stop };
	}
	await stop();
	throw new Error(`The service did not start: ${complaints.join("\n")}`);
}
