import { execFileSync, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = fileURLToPath(new URL("../../../../", import.meta.url));

/** The path of the built program of the plugin, which loads the command line. */
export function buildCommand(): string {
	execFileSync(process.execPath, ["scripts/ready.mjs", "--no-install"], {
		cwd: repository,
		stdio: "pipe",
	});
	return join(repository, "packages/tenant-auth/dist/command.mjs");
}

/**
 * The built command in a process of its own, in a folder with an `auth.ts`.
 *
 * @param runtime another program than Node, with its arguments
 */
export function useProcess(
	command: string,
	folder: string,
	[program, ...options]: readonly [string, ...string[]] = [process.execPath],
) {
	const optionsOf = (database: string) => ({
		cwd: folder,
		env: { PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_FILE: database },
	});
	return {
		/** Runs it to its end. */
		run: (args: readonly string[], database: string) => {
			const { status, stdout, stderr } = spawnSync(program, [...options, command, ...args], {
				...optionsOf(database),
				encoding: "utf8",
			});
			return { status, stdout, stderr };
		},
		/** Sends a signal when it first writes to stderr. */
		interrupt: (args: readonly string[], database: string, signal: NodeJS.Signals) => {
			const child = spawn(program, [...options, command, ...args], optionsOf(database));
			const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
			child.stdout.resume();
			child.stderr.once("data", () => child.kill(signal));
			return ended;
		},
	};
}
