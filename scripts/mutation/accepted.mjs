// The mutants that no test can notice, each with the reason why: what they take away changes nothing
// that anybody could see, or only speed.

import { readFileSync } from "node:fs";

/** @typedef {import("./mutants.mjs").Mutant} Mutant */

/** @type {Record<string, Record<string, string>>} reasons, by file and by what is done to it */
const reasons = JSON.parse(readFileSync(new URL("./accepted.json", import.meta.url), "utf8"));

/** @param {Mutant} mutant */
export function isAccepted({ file, what }) {
	return reasons[file]?.[what] !== undefined;
}

/**
 * What is accepted and not there any more.
 *
 * @param {Mutant[]} mutants all of them
 */
export function findOutdated(mutants) {
	const known = new Set(mutants.map(({ file, what }) => `${file}  ${what}`));
	return Object.entries(reasons)
		.flatMap(([file, whats]) => Object.keys(whats).map((what) => `${file}  ${what}`))
		.filter((entry) => !known.has(entry));
}
