import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
import { onTestFinished, vi } from "vitest";
import { run } from "../src/cli/program";
import { builtProgram } from "./built-program";

type Answer = { code: number | null; out: string; err: string };

/** Runs a command in this process, without a terminal. This is faster than a new process. */
export async function command(
	environment: Record<string, string>,
	args: string[],
	input = "",
): Promise<Answer> {
	const answer: Answer = { code: null, out: "", err: "" };
	const collect = (name: "out" | "err") => (chunk: unknown) => {
		answer[name] += String(chunk);
		return true;
	};
	const out = vi.spyOn(process.stdout, "write").mockImplementation(collect("out"));
	const err = vi.spyOn(process.stderr, "write").mockImplementation(collect("err"));
	const stdin = vi.spyOn(process, "stdin", "get");
	stdin.mockReturnValue(Readable.from(input ? [input] : []) as typeof process.stdin);
	for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
	try {
		answer.code = await run(args);
	} finally {
		vi.unstubAllEnvs();
		stdin.mockRestore();
		out.mockRestore();
		err.mockRestore();
	}
	return answer;
}

/** Runs a command in its own process, without a terminal. */
export async function commandProcess(
	environment: Record<string, string>,
	args: string[],
	input = "",
): Promise<Answer> {
	const child = spawn(process.execPath, [builtProgram("cli"), ...args], {
		env: { PATH: process.env.PATH, ...environment },
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	const answer: Answer = { code: null, out: "", err: "" };
	child.stdout.on("data", (chunk) => {
		answer.out += chunk;
	});
	child.stderr.on("data", (chunk) => {
		answer.err += chunk;
	});
	// A command that reads nothing may have ended already.
	child.stdin.on("error", () => {});
	child.stdin.end(input);
	[answer.code] = await once(child, "close");
	return answer;
}
