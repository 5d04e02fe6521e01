import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync } from "node:fs";
import { onTestFinished } from "vitest";
import { temporaryDirectory } from "../temporary-directory";

export async function until(is: () => Promise<boolean>): Promise<void> {
	while (!(await is())) await new Promise((resume) => setTimeout(resume, 50));
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

export type Program = { kill: () => Promise<void> };

/** Starts a program that ends with the test. */
export function startProgram(path: string, args: string[], user: User = {}): Program {
	const child: ChildProcess = spawn(path, args, { stdio: "ignore", cwd: "/", ...user });
	const ended = once(child, "exit");
	const kill = async () => {
		child.kill("SIGKILL");
		await ended;
	};
	onTestFinished(kill);
	return { kill };
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
