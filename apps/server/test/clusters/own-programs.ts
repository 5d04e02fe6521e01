import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync } from "node:fs";
import { onTestFinished } from "vitest";
import { HANG } from "../../../../testing/time-limits";
import { temporaryDirectory } from "../temporary-directory";

export async function until(is: () => Promise<boolean>): Promise<void> {
	const end = performance.now() + HANG;
	while (!(await is())) {
		if (performance.now() > end) throw new Error("It did not happen in time");
		await new Promise((resume) => setTimeout(resume, 50));
	}
}

/** Database servers do not run as root. */
type User = { uid?: number; gid?: number };

export function userFor(name: string): User {
	if (process.getuid?.() !== 0) return {};
	const idOf = (flag: string) => Number(execFileSync("id", [flag, name], { encoding: "utf8" }));
	return { uid: idOf("-u"), gid: idOf("-g") };
}

export function directoryOf({ uid, gid }: User): string {
	const directory = temporaryDirectory();
	if (uid !== undefined && gid !== undefined) chownSync(directory, uid, gid);
	return directory;
}

export type Program = {
	kill: () => Promise<void>;
	/** Throws if it has ended by itself, with the end of what it wrote. */
	check: () => void;
};

/** Starts a program that ends with the test. */
export function startProgram(
	path: string,
	args: string[],
	options: User & { env?: NodeJS.ProcessEnv } = {},
): Program {
	const child: ChildProcess = spawn(path, args, {
		stdio: ["ignore", "ignore", "pipe"],
		cwd: "/",
		...options,
	});
	let errors = "";
	child.stderr?.on("data", (chunk) => {
		errors = `${errors}${chunk}`.slice(-2000);
	});
	const ended = once(child, "exit");
	const kill = async () => {
		child.kill("SIGKILL");
		await ended;
	};
	const check = () => {
		if (child.exitCode !== null) throw new Error(`${path} has ended: ${errors}`);
	};
	onTestFinished(kill);
	return { kill, check };
}

export async function runProgram(path: string, args: string[], user: User = {}): Promise<void> {
	const child = spawn(path, args, { stdio: ["ignore", "ignore", "pipe"], cwd: "/", ...user });
	let errors = "";
	child.stderr?.on("data", (chunk) => {
		errors += String(chunk);
	});
	const [code] = await once(child, "close");
	if (code !== 0) throw new Error(`${path} failed: ${errors}`);
}
