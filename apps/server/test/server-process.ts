import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { builtProgram } from "./built-program";

export type ServerProcess = {
	/** The output so far. */
	output: () => string;
	errors: () => string;
	/** Waits until the server listens, and returns its origin. */
	url: () => Promise<string>;
	/** Waits for the exit code. */
	exitCode: () => Promise<number | null>;
	kill: (signal: NodeJS.Signals) => void;
};

/**
 * The built server in its own process, on any free port.
 *
 * @param atTheEnd registers the cleanup; after the test by default
 */
export function startProcess(
	environment: Record<string, string>,
	atTheEnd: (clean: () => Promise<void>) => void = onTestFinished,
): ServerProcess {
	const child = spawn(process.execPath, [builtProgram("main")], {
		// Not this process's environment: with NODE_ENV=test, Better Auth skips checks.
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
