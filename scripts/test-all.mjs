// Runs every suite with every service that is on this machine: databases, Redis, browsers, other stores
// and runtimes, examples, packages and documents. The end of a run says which of them it found. Arguments
// are passed on to Vitest.
//
//   npm run test:all
//   npm run test:all -- webhooks

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

// Without a filter, what the suites need is installed first. If that fails, the end of the run says so.
if (process.argv.length === 2) {
	for (const script of ["scripts/install-runtimes.mjs", "scripts/examples.mjs"]) run([script]);
}
process.exitCode = run(["node_modules/vitest/vitest.mjs", "run", ...process.argv.slice(2)], {
	TEST_ALL: "1",
});

/**
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
function run(args, env = {}) {
	const { status } = spawnSync(process.execPath, args, {
		stdio: "inherit",
		env: { ...process.env, ...env },
	});
	return status ?? 1;
}
