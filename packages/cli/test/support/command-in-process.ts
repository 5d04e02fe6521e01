import { createRequire } from "node:module";
import { vi } from "vitest";
import { run } from "../../src/program";

const CONSOLE = ["log", "info", "debug", "warn", "error"] as const;

interface CommandOptions {
	cwd: string;
	environment?: Record<string, string>;
	/** Called when it first writes to stderr. */
	onError?: () => void;
}

/**
 * Runs the command from its sources in this process, as in a process of its own: it has a folder, an
 * environment, a console and its output for itself.
 */
export async function runCommand(
	args: readonly string[],
	{ cwd, environment = {}, onError = () => {} }: CommandOptions,
) {
	const written = { stdout: "", stderr: "" };
	const collect = (name: "stdout" | "stderr") =>
		vi.spyOn(process[name], "write").mockImplementation((chunk) => {
			const isFirstError = name === "stderr" && written.stderr === "";
			written[name] += String(chunk);
			if (isFirstError) onError();
			return true;
		});
	const before = { cwd: process.cwd(), env: { ...process.env } };
	const console = CONSOLE.map((name) => [name, globalThis.console[name]] as const);
	const spies = [collect("stdout"), collect("stderr")];
	// The console of the tests does not write to stderr.
	globalThis.console.error = (...values) => void process.stderr.write(`${values.join(" ")}\n`);
	Object.assign(process.env, environment);
	process.chdir(cwd);
	forgetModules(cwd);
	try {
		return { status: await run([...args]), ...written };
	} finally {
		process.chdir(before.cwd);
		for (const name of Object.keys(process.env)) {
			if (!(name in before.env)) delete process.env[name];
		}
		Object.assign(process.env, before.env);
		for (const [name, method] of console) globalThis.console[name] = method;
		for (const spy of spies) spy.mockRestore();
	}
}

/** The command loads TypeScript with jiti, which keeps what it has loaded. A new process would not. */
function forgetModules(folder: string): void {
	const { cache } = createRequire(import.meta.url);
	for (const file of Object.keys(cache)) if (file.startsWith(folder)) delete cache[file];
}
