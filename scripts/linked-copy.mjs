// Makes a copy of the workspace whose sources can be changed. It shares the installed packages and the
// builds with the workspace.

import {
	cpSync,
	existsSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readlinkSync,
	symlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { folderOfCopies, listFiles } from "./copies.mjs";

/** What is not in Git and tests need, in the root and in each workspace. */
const SHARED = ["dist", "pages"];

/**
 * Returns the folder of the copy. The caller deletes it.
 *
 * @param {string} repository
 */
export function makeLinkedCopy(repository) {
	const copies = folderOfCopies(repository);
	mkdirSync(copies, { recursive: true, mode: 0o700 });
	const root = mkdtempSync(join(copies, "linked-"));
	const files = listFiles(repository);
	for (const path of files) cpSync(join(repository, path), join(root, path));
	for (const manifest of files.filter((path) => basename(path) === "package.json")) {
		const folder = dirname(manifest);
		linkPackages(join(repository, folder, "node_modules"), join(root, folder, "node_modules"));
		for (const name of SHARED) link(join(repository, folder, name), join(root, folder, name));
	}
	return root;
}

/**
 * Links each package. Workspaces among them are links to folders of the repository: they become links to
 * folders of the copy. The cache of Vite is left out, as it belongs to one folder.
 *
 * @param {string} from
 * @param {string} to
 */
function linkPackages(from, to) {
	if (!existsSync(from)) return;
	mkdirSync(to, { recursive: true });
	for (const name of readdirSync(from).filter((name) => name !== ".vite")) {
		const path = join(from, name);
		const isWorkspace = lstatSync(path).isSymbolicLink();
		if (isWorkspace) symlinkSync(readlinkSync(path), join(to, name), "junction");
		else link(path, join(to, name));
	}
}

/**
 * @param {string} from
 * @param {string} to
 */
function link(from, to) {
	if (existsSync(from) && !existsSync(to)) symlinkSync(from, to, "junction");
}
