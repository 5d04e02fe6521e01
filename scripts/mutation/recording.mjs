// Which mutants each test comes across. A test file is recorded again only if it has changed, or
// anything that is no test file.

import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { hashOf, openKept } from "./kept.mjs";

/**
 * @typedef {import("./bench.mjs").Note} Note
 * @typedef {ReturnType<typeof import("./benches.mjs").makeBench>} Bench
 * @typedef {{ text: string, notes: Note[] }} Recorded a test file's hash, and what was noted
 */

/** How many test files run in one process. */
const TOGETHER = 8;

/**
 * @param {object} of
 * @param {string} of.root where the recording is kept
 * @param {string} of.code the hash of the code
 * @param {string} of.copy
 * @param {Bench[]} of.benches
 * @param {string[]} of.files
 * @returns {Promise<Note[]>}
 */
export async function record({ root, code, copy, benches, files }) {
	const { entries, keep } = /** @type {ReturnType<typeof openKept<Recorded>>} */ (
		openKept(root, "recording", code)
	);
	const tests = files.map((file) => {
		return { file, name: relative(copy, file), text: hashOf([readFileSync(file, "utf8")]) };
	});
	const missing = tests.filter(({ name, text }) => entries[name]?.text !== text);
	await Promise.all(
		benches.map(async (bench) => {
			while (missing.length > 0) {
				const some = missing.splice(0, TOGETHER);
				const notes = await runUnchanged(
					bench,
					some.map(({ file }) => file),
				);
				for (const { file, name, text } of some) {
					entries[name] = { text, notes: notes.filter((note) => note.file === file) };
				}
				keep();
			}
		}),
	);
	return tests.flatMap(({ file, name }) =>
		(entries[name]?.notes ?? []).map((note) => ({ ...note, file })),
	);
}

/**
 * @param {Bench} bench
 * @param {string[]} files
 */
async function runUnchanged(bench, files) {
	const picks = files.map((file) => ({ file }));
	const attempt = { mutant: -1, isStatic: false, picks, timeout: 60_000 };
	const { notes, error } = await bench.ask({ attempts: [attempt], withControl: false }, 300_000);
	if (error) throw new Error(error);
	return notes;
}
