// The sources and tests as they are when a run begins: somebody may edit them meanwhile.

import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PARTS = [
	"package.json",
	"tsconfig.json",
	"tsconfig.base.json",
	"vitest.config.ts",
	"README.md",
	"docs",
	"testing",
	"packages/tenant-auth",
];

/** @param {string} root */
export function takeSnapshot(root) {
	const copy = mkdtempSync(join(tmpdir(), "mutate-scope-"));
	for (const path of PARTS) {
		cpSync(join(root, path), join(copy, path), {
			recursive: true,
			filter: (source) => !/[/\\](node_modules|dist)$/.test(source),
		});
	}
	for (const path of ["node_modules", "packages/tenant-auth/node_modules"]) {
		if (existsSync(join(root, path))) symlinkSync(join(root, path), join(copy, path), "junction");
	}
	return copy;
}

/**
 * The code of each source file, by its name.
 *
 * @param {string} folder
 * @returns {Map<string, string>}
 */
export function readSources(folder) {
	const files = readdirSync(folder).filter((file) => file.endsWith(".ts"));
	return new Map(files.sort().map((file) => [file, readFileSync(join(folder, file), "utf8")]));
}

/**
 * @param {string} folder
 * @returns {string[]} the paths of all test files in it
 */
export function findTests(folder) {
	const entries = readdirSync(folder, { recursive: true, encoding: "utf8" });
	return entries
		.filter((path) => path.endsWith(".test.ts"))
		.sort()
		.map((path) => join(folder, path));
}
