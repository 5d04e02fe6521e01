// Runs before `npm start` and `npm test`: installs the dependencies if the lock file is newer than
// the installation, then builds what changed (with wireit, see package.json). A fresh clone has no
// dependencies, so this file imports only Node's own modules.
//
//   node scripts/ready.mjs                 install and build
//   node scripts/ready.mjs --no-install    build only

import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const lock = ".ready.lock";

try {
	process.chdir(fileURLToPath(new URL("..", import.meta.url)));
	requireNodeVersion();
	if (!process.argv.includes("--no-install") && isInstallStale()) install();
	npm("run", "--silent", "build");
} catch (error) {
	console.error(`ready: ${error instanceof Error ? error.message : error}`);
	process.exitCode = 1;
}

function requireNodeVersion() {
	const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
	if (major > 20 || (major === 20 && minor >= 19)) return;
	throw new Error(`Node 20.19 or newer is required, but this is Node ${process.versions.node}.`);
}

function isInstallStale() {
	return modifiedAt("node_modules/.package-lock.json") < modifiedAt("package-lock.json");
}

/** @param {string} path */
function modifiedAt(path) {
	return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Two installations at once break each other, so the second command waits for the first. */
function install() {
	for (let attempt = 1; !tryLock(); attempt++) {
		if (attempt === 1) console.log(`ready: waiting for another installation (${lock})`);
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
	}
	try {
		// Another command may have installed meanwhile.
		if (!isInstallStale()) return;
		console.log("ready: installing the dependencies");
		// NODE_ENV=production or `omit=dev` would leave out the build tools.
		npm("ci", "--include=dev", "--loglevel=error");
	} finally {
		rmSync(lock, { force: true });
	}
}

function tryLock() {
	try {
		writeFileSync(lock, String(process.pid), { flag: "wx" });
		return true;
	} catch (error) {
		if (codeOf(error) !== "EEXIST") throw error;
	}
	try {
		process.kill(Number(readFileSync(lock, "utf8")), 0);
	} catch (error) {
		// The process that held the lock was killed.
		if (codeOf(error) === "ESRCH") rmSync(lock, { force: true });
	}
	return false;
}

/** @param {unknown} error */
function codeOf(error) {
	return error instanceof Error && "code" in error ? error.code : undefined;
}

/** @param {string[]} args */
function npm(...args) {
	const { status } = spawnSync("npm", args, {
		stdio: "inherit",
		shell: process.platform === "win32",
		// The build must not depend on the caller's NODE_ENV. wireit's cache would keep every build.
		env: { ...process.env, NODE_ENV: undefined, WIREIT_CACHE: "none" },
	});
	if (status !== 0) throw new Error(`npm ${args.join(" ")} failed`);
}
