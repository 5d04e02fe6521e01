// Brings a checkout into a state that can run: dependencies installed, workspaces built.
// It runs before `npm start` and `npm test`, on a fresh clone too, so it may import nothing but Node.
//
//   node scripts/ready.mjs                 install and build what is out of date
//   node scripts/ready.mjs --no-install    build only
//   node scripts/ready.mjs --rebuild       build every workspace, out of date or not

import { spawnSync } from "node:child_process";
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** @typedef {{ name: string, directory: string, dependencies: string[] }} Workspace */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lockFile = join(root, "package-lock.json");
const installedLockFile = join(root, "node_modules/.package-lock.json");
const stampDirectory = join(root, "node_modules/.cache/ready");
const mutexFile = join(root, ".ready.lock");
const notSources = /^(dist|node_modules|test|coverage|data|\..*|.*\.md|LICENSE)$/;
const mutexPatience = 15 * 60_000;

class CommandFailed extends Error {
	/**
	 * @param {string} message
	 * @param {number | null} exitCode null when a signal ended it
	 */
	constructor(message, exitCode) {
		super(message);
		this.exitCode = exitCode ?? 1;
	}
}

try {
	requireNodeVersion();
	main(process.argv.slice(2));
} catch (error) {
	console.error(`ready: ${error instanceof Error ? error.message : error}`);
	process.exitCode = error instanceof CommandFailed ? error.exitCode : 1;
}

/** @param {string[]} options */
function main(options) {
	const install = !options.includes("--no-install");
	const rebuild = options.includes("--rebuild");
	const isDone = () =>
		!rebuild && !(install && isInstallStale()) && !workspacesInBuildOrder().some(isBuildStale);

	if (isDone()) return;
	withMutex(() => {
		if (install && isInstallStale()) installDependencies();
		for (const workspace of workspacesInBuildOrder()) {
			if (rebuild || isBuildStale(workspace)) build(workspace);
		}
	});
}

function requireNodeVersion() {
	const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
	if (major > 20 || (major === 20 && minor >= 19)) return;
	throw new Error(`Node 20.19 or newer is needed, and this is Node ${process.versions.node}.`);
}

function isInstallStale() {
	return !existsSync(installedLockFile) || modifiedAt(installedLockFile) < modifiedAt(lockFile);
}

function installDependencies() {
	// NODE_ENV=production or `omit=dev` would leave out what the build needs.
	const flags = ["--include=dev", "--no-audit", "--no-fund", "--loglevel=warn"];
	const install = () => npm("installing dependencies (npm install)", ["install", ...flags]);
	if (existsSync(lockFile)) {
		try {
			npm("installing dependencies (npm ci)", ["ci", ...flags]);
		} catch (error) {
			if (!(error instanceof CommandFailed)) throw error;
			console.error(`ready: ${error.message} Trying npm install.`);
			install();
		}
	} else {
		install();
	}
	// A lock file dated in the future must not mean an installation on every start. File times are
	// finer than a Date: round up.
	const installedAt = new Date(Math.ceil(Math.max(Date.now(), modifiedAt(lockFile))) + 1);
	if (existsSync(installedLockFile)) utimesSync(installedLockFile, installedAt, installedAt);
}

/** @returns {Workspace[]} those with a build script, each after the workspaces it depends on */
function workspacesInBuildOrder() {
	const found = new Map(readWorkspaces().map((workspace) => [workspace.name, workspace]));
	/** @type {Set<Workspace>} */
	const ordered = new Set();
	/** @param {Workspace} workspace */
	const visit = (workspace) => {
		found.delete(workspace.name);
		for (const name of workspace.dependencies) {
			const dependency = found.get(name);
			if (dependency) visit(dependency);
		}
		ordered.add(workspace);
	};
	for (const workspace of [...found.values()]) {
		if (found.has(workspace.name)) visit(workspace);
	}
	return [...ordered];
}

/** @returns {Workspace[]} */
function readWorkspaces() {
	return readJson(join(root, "package.json"))
		.workspaces.flatMap((/** @type {string} */ pattern) => {
			if (!pattern.endsWith("/*")) return [join(root, pattern)];
			const parent = join(root, pattern.slice(0, -2));
			return existsSync(parent) ? readdirSync(parent).map((name) => join(parent, name)) : [];
		})
		.filter((/** @type {string} */ directory) => existsSync(join(directory, "package.json")))
		.flatMap((/** @type {string} */ directory) => {
			const manifest = readJson(join(directory, "package.json"));
			if (!manifest.scripts?.build) return [];
			const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
			return [{ name: manifest.name, directory, dependencies }];
		});
}

/** @param {Workspace} workspace */
function isBuildStale(workspace) {
	const output = join(workspace.directory, "dist");
	const builtAt = modifiedAt(stampOf(workspace.name));
	if (builtAt === 0 || !existsSync(output) || readdirSync(output).length === 0) return true;
	if (workspace.dependencies.some((name) => modifiedAt(stampOf(name)) > builtAt)) return true;
	if (modifiedAt(join(root, "tsconfig.base.json")) > builtAt) return true;
	return isAnySourceNewer(workspace.directory, builtAt);
}

/**
 * @param {string} directory
 * @param {number} time
 * @returns {boolean}
 */
function isAnySourceNewer(directory, time) {
	return readdirSync(directory, { withFileTypes: true }).some((entry) => {
		if (notSources.test(entry.name)) return false;
		const path = join(directory, entry.name);
		// A folder's own time counts: it is how a deleted or renamed file shows.
		return modifiedAt(path) > time || (entry.isDirectory() && isAnySourceNewer(path, time));
	});
}

/** @param {Workspace} workspace */
function build({ name }) {
	const startedAt = new Date();
	rmSync(stampOf(name), { force: true });
	npm(`building ${name}`, ["run", "build", `--workspace=${name}`]);
	// Dated at the start of the build, so that a source saved meanwhile is built next time.
	mkdirSync(stampDirectory, { recursive: true });
	writeFileSync(stampOf(name), "");
	utimesSync(stampOf(name), startedAt, startedAt);
}

/** @param {string} name */
function stampOf(name) {
	return join(stampDirectory, name.replaceAll("/", "+"));
}

/**
 * Runs npm quietly: one line when all is well, its whole output when not.
 *
 * @param {string} what
 * @param {string[]} args
 */
function npm(what, args) {
	const startedAt = Date.now();
	console.log(`ready: ${what} …`);
	const npmCli = process.env.npm_execpath ?? "";
	const [command, ...prefix] = /^npm-cli\.[cm]?js$/.test(basename(npmCli))
		? [process.execPath, npmCli]
		: ["npm"];
	const { status, signal, error, stdout, stderr } = spawnSync(command, [...prefix, ...args], {
		cwd: root,
		env: environmentForNpm(),
		encoding: "utf8",
		maxBuffer: 256 * 1024 * 1024,
		shell: command === "npm" && process.platform === "win32",
	});
	if (error) throw error;
	if (status !== 0) {
		process.stderr.write(`${stdout}${stderr}`);
		throw new CommandFailed(`${what} failed (${signal ?? `exit code ${status}`}).`, status);
	}
	console.log(`ready: ${what} took ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}

/**
 * What the npm around us was told about workspaces or a dry run is not meant for the npm we start.
 * Settings such as the registry or a proxy are passed on.
 */
function environmentForNpm() {
	const about =
		/^npm_(package|lifecycle)_|^npm_config_(workspaces?|include_workspace_root|omit|only|production|global|location|dry_run|package_lock_only|if_present)$/i;
	return Object.fromEntries(
		Object.entries(process.env).filter(([name]) => name !== "NODE_ENV" && !about.test(name)),
	);
}

/**
 * Two commands may start at once in one checkout: the second waits for the first.
 *
 * @param {() => void} work
 */
function withMutex(work) {
	const giveUpAt = Date.now() + mutexPatience;
	for (let announced = false; !takeMutex(); announced = true) {
		if (!announced) console.log("ready: waiting for another install or build to finish");
		if (Date.now() > giveUpAt) {
			throw new Error(`another install or build holds ${mutexFile}; remove it if none is running.`);
		}
		sleep(200);
	}
	try {
		work();
	} finally {
		rmSync(mutexFile, { force: true });
	}
}

function takeMutex() {
	try {
		writeFileSync(mutexFile, String(process.pid), { flag: "wx" });
		return true;
	} catch (error) {
		if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
	}
	if (isMutexAbandoned()) rmSync(mutexFile, { force: true });
	return false;
}

function isMutexAbandoned() {
	try {
		const holder = Number(readFileSync(mutexFile, "utf8"));
		// Empty for the moment between its creation and its content.
		if (holder === 0) return Date.now() - modifiedAt(mutexFile) > 5_000;
		process.kill(holder, 0);
		return false;
	} catch (error) {
		return /** @type {NodeJS.ErrnoException} */ (error).code === "ESRCH";
	}
}

/** @param {number} milliseconds */
function sleep(milliseconds) {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** @param {string} path */
function modifiedAt(path) {
	return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** @param {string} path */
function readJson(path) {
	return JSON.parse(readFileSync(path, "utf8"));
}
