// Makes a copy of the workspace that has another version of Better Auth. The copy is in the temporary
// folder of the system and stays there, so that the next run does not install again.

import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

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
	const root = join(tmpdir(), `better-auth-tenant-${digest(repository)}`, betterAuth);
	mkdirSync(root, { recursive: true, mode: 0o700 });
	const files = listFiles(repository);
	copyFiles(repository, root, files);

	const manifests = files.filter(isManifest);
	const wanted = digest(manifests.map((path) => readFileSync(join(repository, path))).join());
	const installed = join(root, "node_modules/.test-with");
	if (existsSync(installed) && readFileSync(installed, "utf8") === wanted) return root;

	console.log(`test-with: installing Better Auth ${betterAuth} in ${root}`);
	rmSync(installed, { force: true });
	const shared = findShared(betterAuth);
	for (const path of manifests) {
		const manifest = JSON.parse(readFileSync(join(repository, path), "utf8"));
		changeVersions(manifest, betterAuth, shared);
		writeFileSync(join(root, path), JSON.stringify(manifest, null, "\t"));
	}
	// Keeps the versions of all other packages.
	cpSync(join(repository, "package-lock.json"), join(root, "package-lock.json"));
	// Peers of plugins are exact too, and need not be the shared versions.
	const args = ["install", "--legacy-peer-deps", "--include=dev", "--loglevel=error"];
	const { status } = spawnSync("npm", args, { cwd: root, stdio: "inherit" });
	if (status !== 0) throw new Error(`Better Auth ${betterAuth} could not be installed`);
	writeFileSync(installed, wanted);
	return root;
}

/**
 * Lists the files that Git knows or would add.
 *
 * @param {string} repository
 */
function listFiles(repository) {
	const args = ["ls-files", "--cached", "--others", "--exclude-standard"];
	const output = execFileSync("git", args, { cwd: repository, encoding: "utf8" });
	return output.split("\n").filter((path) => path && existsSync(join(repository, path)));
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

/**
 * @param {Record<string, any>} manifest
 * @param {string} betterAuth
 * @param {Record<string, string>} shared
 */
function changeVersions(manifest, betterAuth, shared) {
	const [major, minor] = betterAuth.split(".");
	// Some plugins have fewer versions than Better Auth: take the newest one that is not newer.
	const upTo = `>=${major}.${minor}.0 <=${betterAuth}`;
	for (const dependencies of [manifest.dependencies ?? {}, manifest.devDependencies ?? {}]) {
		for (const name of Object.keys(dependencies)) {
			if (name === "better-auth" || name === "@better-auth/core") dependencies[name] = betterAuth;
			else if (name in shared) dependencies[name] = shared[name];
			else if (name === "auth" || name.startsWith("@better-auth/")) dependencies[name] = upTo;
		}
	}
	if (manifest.workspaces) {
		manifest.overrides = { ...shared, "better-auth": betterAuth, "@better-auth/core": betterAuth };
	}
}

/** @param {string} text */
function digest(text) {
	return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
