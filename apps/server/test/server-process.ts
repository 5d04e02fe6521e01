import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { builtProgram } from "./built-program";

export type ServerProcess = {
	/** Everything printed so far. */
	output: () => string;
	errors: () => string;
	/** The origin it listens on; waits until it does. */
	url: () => Promise<string>;
	/** The exit code; waits until there is one. */
	exitCode: () => Promise<number | null>;
	kill: (signal: NodeJS.Signals) => void;
};

/**
 * The server as its users run it, on any free port.
 *
 * @param atTheEnd takes what ends it; after the test by default
 */
export function startProcess(
	environment: Record<string, string>,
	atTheEnd: (clean: () => Promise<void>) => void = onTestFinished,
): ServerProcess {
	const child = spawn(process.execPath, [builtProgram("main")], {
		// Not this process's environment: under NODE_ENV=test Better Auth leaves out checks.
		env: { PATH: process.env.PATH, PORT: "0", ...environment },
		stdio: ["ignore", "pipe", "pipe"],
	});
	const exited = once(child, "close").then(([code]) => code as number | null);
	atTheEnd(async () => {
		child.kill("SIGKILL");
		await exited;
	});
	const output = collect(child.stdout);
	const errors = collect(child.stderr);
	return {
		output,
		errors,
		url: () => waitForUrl(output, errors, child),
		exitCode: () => exited,
		kill: (signal) => child.kill(signal),
	};
}

function collect(stream: NodeJS.ReadableStream): () => string {
	let text = "";
	stream.on("data", (chunk) => {
		text += chunk;
	});
	return () => text;
}

async function waitForUrl(
	output: () => string,
	errors: () => string,
	child: ChildProcess,
): Promise<string> {
	for (;;) {
		const url = output()
			.match(/^Listening on +(\S+)$|"localUrl":"([^"]+)"/m)
			?.slice(1)
			.find(Boolean);
		if (url) return url;
		if (child.exitCode !== null) throw new Error(`The server did not start: ${errors()}`);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}
