// Makes a copy of the workspace that has another version of Better Auth. The copy is in the temporary
// folder of the system and stays there, so that the next run does not install again.

import { spawnSync } from "node:child_process";
import {
	cpSync,
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { digest, folderOfCopies, listFiles } from "./copies.mjs";

/**
 * Better Auth and its plugins require exact versions of these packages, and break with two copies of
 * one. All get the version that Better Auth requires, or this one if the registry does not have it.
 */
const SHARED = {
	"better-call": "1.4.0",
	"@better-auth/utils": "0.5.0",
	"@better-fetch/fetch": "1.3.2",
};

/**
 * Returns the folder of the copy, with its packages installed.
 *
 * @param {string} repository
 * @param {string} betterAuth
 */
export function copyWorkspace(repository, betterAuth) {
	const root = join(folderOfCopies(repository), betterAuth);
	mkdirSync(root, { recursive: true, mode: 0o700 });
	const files = listFiles(repository);
	copyFiles(repository, root, files);
	linkRuntimes(repository, root);

	const manifests = files.filter(isManifest);
	const wanted = digest(manifests.map((path) => readFileSync(join(repository, path))).join());
	const installed = join(root, "node_modules/.test-with");
	if (existsSync(installed) && readFileSync(installed, "utf8") === wanted) return root;

	console.log(`test-with: installing Better Auth ${betterAuth} in ${root}`);
	rmSync(installed, { force: true });
	const shared = findShared(betterAuth);
	for (const path of manifests) {
		const manifest = readJson(join(repository, path));
		changeVersions(manifest, betterAuth, shared);
		writeJson(join(root, path), manifest);
	}
	const lock = readJson(join(repository, "package-lock.json"));
	// npm would keep the version of the lock file at the root, and install one copy per workspace.
	for (const path of Object.keys(lock.packages)) {
		if (isChanged(path.split("node_modules/").at(-1) ?? "")) delete lock.packages[path];
	}
	writeJson(join(root, "package-lock.json"), lock);
	// Peers of plugins are exact too, and need not be the shared versions.
	const args = ["install", "--legacy-peer-deps", "--include=dev", "--loglevel=error"];
	const { status } = spawnSync("npm", args, { cwd: root, stdio: "inherit" });
	if (status !== 0) throw new Error(`Better Auth ${betterAuth} could not be installed`);
	writeFileSync(installed, wanted);
	return root;
}

/** @param {string} path */
function isManifest(path) {
	return basename(path) === "package.json";
}

/**
 * Copies all files but the manifests, and deletes files of the last copy that are gone.
 *
 * @param {string} repository
 * @param {string} root
 * @param {string[]} files
 */
function copyFiles(repository, root, files) {
	const list = join(root, ".copied");
	const before = existsSync(list) ? readFileSync(list, "utf8").split("\n") : [];
	for (const path of before) if (!files.includes(path)) rmSync(join(root, path), { force: true });
	for (const path of files) {
		if (isManifest(path) || path === "package-lock.json") continue;
		cpSync(join(repository, path), join(root, path));
	}
	writeFileSync(list, files.join("\n"));
}

/**
 * Lets the copy use what `install-runtimes.mjs` has installed in the repository.
 *
 * @param {string} repository
 * @param {string} root
 */
function linkRuntimes(repository, root) {
	const link = join(root, "node_modules/.cache/runtimes");
	if (existsSync(link)) return;
	mkdirSync(dirname(link), { recursive: true });
	rmSync(link, { force: true });
	symlinkSync(join(repository, "node_modules/.cache/runtimes"), link, "junction");
}

/**
 * @param {string} betterAuth
 * @returns {Record<string, string>}
 */
function findShared(betterAuth) {
	const required = view(`better-auth@${betterAuth}`, "dependencies");
	if (!required) throw new Error(`the registry does not have better-auth@${betterAuth}`);
	return Object.fromEntries(
		Object.entries(SHARED).map(([name, fallback]) => {
			const version = required[name];
			return [name, view(`${name}@${version}`, "version") ? version : fallback];
		}),
	);
}

/**
 * @param {string} spec
 * @param {string} field
 */
function view(spec, field) {
	const args = ["view", spec, field, "--json"];
	const { status, stdout } = spawnSync("npm", args, { encoding: "utf8" });
	return status === 0 && stdout ? JSON.parse(stdout) : undefined;
}

/** @param {string} name */
function isChanged(name) {
	return (
		["better-auth", "auth"].includes(name) || name.startsWith("@better-auth/") || name in SHARED
	);
}

/**
 * @param {Record<string, any>} manifest
 * @param {string} betterAuth
 * @param {Record<string, string>} shared
 */
function changeVersions(manifest, betterAuth, shared) {
	/** @type {Record<string, string>} */
	const exact = { ...shared, "better-auth": betterAuth, "@better-auth/core": betterAuth };
	const [major, minor] = betterAuth.split(".");
	// Some plugins have fewer versions than Better Auth: take the newest one that is not newer.
	const upTo = `>=${major}.${minor}.0 <=${betterAuth}`;
	for (const dependencies of [manifest.dependencies ?? {}, manifest.devDependencies ?? {}]) {
		for (const name of Object.keys(dependencies).filter(isChanged)) {
			dependencies[name] = exact[name] ?? upTo;
		}
	}
	if (manifest.workspaces) manifest.overrides = exact;
}

/** @param {string} path */
function readJson(path) {
	return JSON.parse(readFileSync(path, "utf8"));
}

/**
 * @param {string} path
 * @param {object} content
 */
function writeJson(path, content) {
	writeFileSync(path, JSON.stringify(content, null, "\t"));
}
