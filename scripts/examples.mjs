// Installs the examples as a user would: in a folder outside of the repository, with the packages that
// npm would publish. The folder is in the temporary folder of the system and stays there, so that the
// next run does not install again.
//
//   node scripts/examples.mjs                  installs all examples (`npm test` runs their suites then)
//   npm run example express                    installs them, and starts one
//
// The environment (`PORT`, `DATABASE_URL`, …) is passed on.

import { spawnSync } from "node:child_process";
import {
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { digest, folderOfCopies, listFiles } from "./copies.mjs";

const repository = fileURLToPath(new URL("..", import.meta.url));

/** The folder that the examples are installed in. Its examples are in `examples/`. */
export const installation = join(folderOfCopies(repository), "with-examples");

/** Exists after the installation. */
const marker = join(installation, "node_modules/.installed");

export const areExamplesInstalled = () => existsSync(marker);

/** Packages of ours that examples use, by their name. */
const ours = {
	"better-auth-tenant": "packages/tenant-auth",
	"better-auth-tenant-server": "apps/server",
};

/** What the builds of our packages make. */
const built = ["dist", "pages"];

/** Drivers of the databases that the starter offers. Apps that it makes use this installation too. */
const drivers = {
	...readManifest("packages/create-better-auth-tenant").devDependencies,
	...readManifest("packages/create-better-auth-tenant/databases/drizzle-postgres").devDependencies,
};

/**
 * Copies the examples to the installation, and our packages as they are built now. Installs other
 * packages if a manifest has changed.
 */
export function installExamples() {
	const manifests = copyExamples();
	const wanted = digest(
		JSON.stringify([manifests, drivers, Object.values(ours).map(readManifest)]),
	);
	if (!areExamplesInstalled() || readFileSync(marker, "utf8") !== wanted) {
		rmSync(marker, { force: true });
		install();
		writeFileSync(marker, wanted);
	}
	for (const [name, folder] of Object.entries(ours)) {
		for (const part of built.filter((part) => existsSync(join(repository, folder, part)))) {
			const target = join(installation, "node_modules", name, part);
			rmSync(target, { recursive: true, force: true });
			cpSync(join(repository, folder, part), target, { recursive: true });
		}
	}
}

/** Copies the files that Git knows or would add. Returns the manifests. */
function copyExamples() {
	const files = listFiles(repository, "examples");
	const folders = files
		.filter((path) => /^examples\/[^/]+\/package\.json$/.test(path))
		.map(dirname);
	for (const folder of folders) {
		rmSync(join(installation, folder, "src"), { recursive: true, force: true });
		for (const path of files.filter((path) => path.startsWith(`${folder}/`))) {
			cpSync(join(repository, path), join(installation, path));
		}
	}
	return folders.map((folder) => {
		const manifest = readManifest(folder);
		for (const name of Object.keys(ours)) {
			if (manifest.dependencies?.[name])
				manifest.dependencies[name] = `file:../../packed/${name}.tgz`;
		}
		writeFileSync(join(installation, folder, "package.json"), JSON.stringify(manifest, null, 2));
		return manifest;
	});
}

/** @param {string} folder */
function readManifest(folder) {
	return JSON.parse(readFileSync(join(repository, folder, "package.json"), "utf8"));
}

function install() {
	const packed = join(installation, "packed");
	mkdirSync(packed, { recursive: true });
	for (const [name, folder] of Object.entries(ours)) {
		npm(repository, "pack", `./${folder}`, "--pack-destination", packed, "--silent");
		const [file = ""] = readdirSync(packed).filter((file) => file.match(`^${name}-\\d`));
		renameSync(join(packed, file), join(packed, `${name}.tgz`));
	}
	const root = { private: true, workspaces: ["examples/*"], dependencies: drivers };
	writeFileSync(join(installation, "package.json"), JSON.stringify(root));
	// A lock file would keep the digest of the old package.
	rmSync(join(installation, "package-lock.json"), { force: true });
	npm(installation, "install", "--no-audit", "--no-fund", "--loglevel=error");
}

/**
 * @param {string} cwd
 * @param {string[]} args
 */
function npm(cwd, ...args) {
	if (runNpm(cwd, ...args) !== 0) throw new Error(`npm ${args.join(" ")} failed`);
}

/**
 * @param {string} cwd
 * @param {string[]} args
 */
function runNpm(cwd, ...args) {
	const shell = process.platform === "win32";
	return spawnSync("npm", args, { cwd, stdio: "inherit", shell }).status ?? 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
	installExamples();
	const [, , example] = process.argv;
	// The example says itself what is wrong.
	if (example) process.exitCode = runNpm(join(installation, "examples", example), "start");
}
