// What an earlier run found out, as far as it is about the same code.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** What puts numbers to mutants and tells which of them a test comes across. */
const OWN = [
	"mutants.mjs",
	"switched-source.mjs",
	"switches.ts",
	"runner.ts",
	"cheap-hashes.ts",
].map((name) => fileURLToPath(new URL(name, import.meta.url)));

/**
 * @template T
 * @param {string} root
 * @param {string} name
 * @param {string} code the hash of the code that it is about
 */
export function openKept(root, name, code) {
	const path = join(root, `node_modules/.cache/mutate-scope-${name}.json`);
	/** @type {Record<string, T>} */
	const entries = readIfAbout(path, code) ?? {};
	return {
		entries,
		keep() {
			mkdirSync(dirname(path), { recursive: true });
			writeFileSync(path, JSON.stringify({ code, entries }));
		},
	};
}

/**
 * @param {string} path
 * @param {string} code
 */
function readIfAbout(path, code) {
	try {
		const kept = JSON.parse(readFileSync(path, "utf8"));
		return kept.code === code ? kept.entries : undefined;
	} catch {
		// There was no run yet.
	}
}

/**
 * All that decides on what a test comes across, but for the test itself: also which services there are.
 *
 * @param {string} copy
 */
export function hashOfCode(copy) {
	const services = Object.entries(process.env).filter(([name]) => /^TEST_\w+_URL$/.test(name));
	return hashOf([
		...services.flat().map(String),
		...[...codeIn(copy), ...OWN].map((path) => readFileSync(path, "utf8")),
	]);
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function codeIn(folder) {
	const names = readdirSync(folder).filter((name) => name !== "node_modules");
	return names.sort().flatMap((name) => {
		const path = join(folder, name);
		if (statSync(path).isDirectory()) return codeIn(path);
		return /\.(m?ts|m?js|json)$/.test(name) && !name.endsWith(".test.ts") ? [path] : [];
	});
}

/** @param {string[]} texts */
export function hashOf(texts) {
	const hash = createHash("sha256");
	for (const text of texts) hash.update(`${text.length} ${text}`);
	return hash.digest("hex");
}
