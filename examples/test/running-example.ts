import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { installation } from "../../scripts/examples.mjs";
import { freePort } from "../../testing/ports";

export interface RunningExample {
	port: number;
	/** The URL that the example prints when it is ready. */
	url: string;
	/** What it printed until then. */
	startOutput: string;
}

/** Starts an example as its README says, with an empty database. It ends with the test. */
export async function startExample(
	name: string,
	environment: Record<string, string> = {},
): Promise<RunningExample> {
	const directory = join(installation, "examples", name);
	for (const file of readdirSync(directory)) {
		if (/^\.env$|\.db(-\w+)?$/.test(file)) rmSync(join(directory, file));
	}
	return startApp(directory, environment);
}

/** What the compiler says about an example. */
export function findTypeErrors(name: string): string {
	const directory = join(installation, "examples", name);
	const { scripts } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
	// Some frameworks have files that only they can check.
	const command = scripts.check ? ["run", "check"] : ["exec", "--", "tsc", "-p", "."];
	const { status, stdout } = spawnSync("npm", command, { cwd: directory, encoding: "utf8" });
	return status === 0 ? "" : stdout;
}

/** Runs `npm start` in a folder, until the app prints the URL to open. */
export async function startApp(
	directory: string,
	environment: Record<string, string> = {},
): Promise<RunningExample> {
	const port = await freePort();
	const { PATH, HOME } = process.env;
	const child = spawn("npm", ["start"], {
		cwd: directory,
		env: { PATH, HOME, PORT: String(port), ...environment },
		// npm starts other processes. They all end as one group.
		detached: true,
	});
	onTestFinished(async () => {
		const closed = child.exitCode === null ? once(child, "close") : undefined;
		if (child.pid) killGroup(child.pid);
		await closed;
	});
	let output = "";
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding("utf8").on("data", (text) => {
			output += text;
		});
	}
	const url = await new Promise<string>((resolve, reject) => {
		child.stdout.on("data", () => {
			const [, found] = /^(?:Open|Listening on) (\S+)$/m.exec(output) ?? [];
			if (found) resolve(found);
		});
		child.on("close", (code) => reject(new Error(`npm start ended with ${code}:\n${output}`)));
	});
	return { port, url, startOutput: output };
}

function killGroup(pid: number) {
	try {
		process.kill(-pid, "SIGKILL");
	} catch {
		// It has ended already.
	}
}
