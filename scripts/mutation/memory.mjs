// What the last run found: which test noticed a mutant is asked first the next time.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** @typedef {{ noticedBy: Record<string, string>, survivors: string[] }} Memory */

/** @param {import("./mutants.mjs").Mutant} mutant */
export const keyOf = ({ file, what }) => `${file}  ${what}`;

/** @param {string} root */
export function openMemory(root) {
	const path = join(root, "node_modules/.cache/mutate-scope.json");
	/** @type {Memory} */
	let memory = { noticedBy: {}, survivors: [] };
	try {
		memory = JSON.parse(readFileSync(path, "utf8"));
	} catch {
		// There was no run yet.
	}
	return {
		memory,
		keep() {
			mkdirSync(dirname(path), { recursive: true });
			writeFileSync(path, JSON.stringify(memory));
		},
	};
}
