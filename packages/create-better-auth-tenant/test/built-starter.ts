import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = fileURLToPath(new URL("../../..", import.meta.url));

let isBuilt = false;

/** The path of the built program. `npm test` builds it here, and `npm start` does not need it. */
export function builtStarter(): string {
	if (!isBuilt) {
		const env = { ...process.env, NODE_ENV: undefined, WIREIT_CACHE: "none" };
		execFileSync("npm", ["run", "--silent", "build:starter"], {
			cwd: repository,
			env,
			stdio: "pipe",
		});
	}
	isBuilt = true;
	return join(repository, "packages/create-better-auth-tenant/dist/main.mjs");
}

/** Runs the program in a directory, without a terminal. */
export function runStarter(cwd: string, ...args: string[]) {
	return runStarterWith([process.execPath], cwd, ...args);
}

/** The same in another runtime than Node. */
export function runStarterWith(
	[program, ...before]: readonly [string, ...string[]],
	cwd: string,
	...args: string[]
) {
	const options = { cwd, encoding: "utf8", env: { PATH: process.env.PATH } } as const;
	const { status, stdout, stderr } = spawnSync(
		program,
		[...before, builtStarter(), ...args],
		options,
	);
	return { status, stdout, stderr };
}
