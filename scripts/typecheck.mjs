// Type-checks every project of the repository: the root, and each workspace and its tests.

import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");

const workspaces = ["packages", "apps"]
	.filter((group) => existsSync(join(root, group)))
	.flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}`));
const projects = [".", "bench", ...workspaces.flatMap((path) => [path, `${path}/test`])].filter(
	(path) => existsSync(join(root, path, "tsconfig.json")),
);

/** @param {string} project */
function check(project) {
	return new Promise((resolve, reject) => {
		const args = [tsc, "--noEmit", "--pretty", "--project", project];
		const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
		child.once("error", reject);
		child.once("close", (code) => {
			console.log(`${code === 0 ? "types ok" : "types WRONG"}  ${project}`);
			resolve(code === 0);
		});
	});
}

let failed = false;
for (const project of projects) {
	if (!(await check(project))) failed = true;
}
process.exitCode = failed ? 1 : 0;
