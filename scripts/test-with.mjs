// Runs tests with another version of Better Auth, of Node, or of both. Other arguments are passed on to
// Vitest. It ends with Vitest's summary and exit code. Without a filter, the suites run whose result
// depends on the version. They use the databases whose URLs are set.
//
//   npm run test:with -- --better-auth 1.7.18
//   npm run test:with -- --node 22 --better-auth 1.7.3 installation/contract
//
// With `--better-auth`, the tests run in a copy of the workspace. With `--node` alone, they run here.
// Write options of Vitest with `=` (`--maxWorkers=2`): another argument is a part of a path.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyWorkspace } from "./copy-workspace.mjs";

const repository = fileURLToPath(new URL("..", import.meta.url));

/** What runs without a filter: what we know of Better Auth, its flows, the matrix, adapters and handlers. */
const OF_BETTER_AUTH = [
	"packages/fast/test/",
	"packages/tenant-auth/test/client/",
	"packages/tenant-auth/test/context/",
	"packages/tenant-auth/test/databases/",
	"packages/tenant-auth/test/endpoints/sign-in/",
	"packages/tenant-auth/test/installation/",
	"packages/tenant-auth/test/isolation/",
	"packages/tenant-auth/test/matrix/",
	"packages/tenant-auth/test/oauth-clients/social",
	"packages/tenant-auth/test/plugins/",
];

/** And with another Node alone: what it does differently. The server has its own version of Better Auth. */
const OF_NODE = [
	"apps/server/test/server.test.ts",
	"apps/server/test/read-write-dialect",
	"apps/server/test/openid-provider",
	"packages/tenant-auth/test/webhooks/",
];

try {
	process.exitCode = main(process.argv.slice(2));
} catch (error) {
	console.error(`test-with: ${error instanceof Error ? error.message : error}`);
	process.exitCode = 1;
}

/** @param {string[]} args */
function main(args) {
	const betterAuth = takeVersion(args, "--better-auth", "1.7.18");
	const node = takeVersion(args, "--node", "22");
	const program = node ? installNode(node) : process.execPath;
	const root = betterAuth ? copyWorkspace(repository, betterAuth) : repository;
	// Tests also start `node` and `npm` by name. They build again what another Node has built.
	const env = { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env.PATH}` };
	const ready = ["scripts/ready.mjs", "--no-install"];
	const built = spawnSync(program, ready, { cwd: root, stdio: "inherit", env });
	if (built.status !== 0) throw new Error(`the build in ${root} failed`);
	console.log(`test-with: Better Auth ${installedVersion(root)} on Node ${versionOf(program)}`);
	const suites = betterAuth ? OF_BETTER_AUTH : [...OF_BETTER_AUTH, ...OF_NODE];
	const filter = args.some((argument) => !argument.startsWith("-")) ? [] : suites;
	const vitest = ["node_modules/vitest/vitest.mjs", "run"];
	const { status } = spawnSync(program, [...vitest, ...filter, ...args], {
		cwd: root,
		stdio: "inherit",
		env: { ...env, TEST_DATABASES: "1" },
	});
	return status ?? 1;
}

/**
 * Removes a flag of ours from the arguments.
 *
 * @param {string[]} args
 * @param {string} flag
 * @param {string} example
 */
function takeVersion(args, flag, example) {
	const index = args.indexOf(flag);
	if (index === -1) return undefined;
	const [, version = ""] = args.splice(index, 2);
	if (/^\d+(\.\d+)*$/.test(version)) return version;
	throw new Error(`${flag} needs a version, for example ${flag} ${example}`);
}

/**
 * Installs the npm package `node`, which contains the program.
 *
 * @param {string} version
 */
function installNode(version) {
	const folder = join(repository, "node_modules/.cache/node", version);
	const program = join(folder, "node_modules/node/bin/node");
	if (existsSync(program)) return program;
	console.log(`test-with: installing Node ${version}`);
	mkdirSync(folder, { recursive: true });
	const manifest = { private: true, dependencies: { node: version }, allowScripts: { node: true } };
	writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
	const args = ["install", "--no-package-lock", "--loglevel=error"];
	const { status } = spawnSync("npm", args, { cwd: folder, stdio: "inherit" });
	if (status !== 0) throw new Error(`Node ${version} could not be installed`);
	return program;
}

/** @param {string} program */
function versionOf(program) {
	return execFileSync(program, ["--version"], { encoding: "utf8" }).trim().replace("v", "");
}

/** @param {string} root */
function installedVersion(root) {
	return JSON.parse(readFileSync(join(root, "node_modules/better-auth/package.json"), "utf8"))
		.version;
}
