// Which tests come across which mutant, and which of them to try first.

import { readFileSync } from "node:fs";

/**
 * @typedef {import("./mutants.mjs").Mutant} Mutant
 * @typedef {import("./bench.mjs").Note} Note
 * @typedef {import("./bench.mjs").Pick} Pick
 */

/** The portions of the tests that come by, each at most so many and about so many milliseconds. */
const PORTIONS = [
	{ most: 3, time: 800 },
	{ most: 30, time: 5_000 },
	{ most: 300, time: 15_000 },
];

/**
 * @param {Note[]} notes
 * @param {Mutant[]} mutants
 * @param {boolean} isThorough whether all tests that come by are asked, and not the most promising ones only
 */
export function makePlan(notes, mutants, isThorough) {
	/** @type {Map<number, Note[]>} */
	const covering = new Map(mutants.map(({ id }) => [id, []]));
	for (const note of notes) {
		for (const id of new Set([...note.hits, ...note.outside])) covering.get(id)?.push(note);
	}
	/** @type {Map<string, number>} how many mutants of a source file a test has noticed */
	const merits = new Map();
	const texts = new Map(notes.map(({ file }) => [file, readFileSync(file, "utf8")]));

	/** @param {Mutant} mutant */
	const testsOf = ({ id, file, isStatic }) => {
		if (!isStatic) return covering.get(id) ?? [];
		// It runs when the module is loaded: whoever uses the module may notice.
		const ofFile = mutants.filter((other) => other.file === file && !other.isStatic);
		return [...new Set(ofFile.flatMap((other) => covering.get(other.id) ?? []))];
	};

	/** @type {(mutant: Mutant, note: Note, words: string[]) => number} */
	const promise = ({ file }, { id, file: test }, words) =>
		Math.log2(1 + (merits.get(`${file} ${id}`) ?? 0)) +
		(words.some((word) => texts.get(test)?.includes(word)) ? 2 : 0);

	return {
		testsOf,
		/** @type {(mutant: Mutant, testId: string) => void} */
		praise({ file }, testId) {
			merits.set(`${file} ${testId}`, (merits.get(`${file} ${testId}`) ?? 0) + 1);
		},
		/**
		 * The tests that come by a mutant, the most promising ones first, in portions that grow.
		 *
		 * @param {Mutant} mutant
		 * @param {() => string | undefined} findLast the test that noticed it the last time
		 * @returns {Generator<Note[], undefined>}
		 */
		*portionsOf(mutant, findLast) {
			const last = findLast();
			const words = [...mutant.what.matchAll(/["'`]([\w/:-]{5,})["'`]/g)].map(
				([, word]) => word ?? "",
			);
			const ranked = testsOf(mutant)
				.map((note) => ({ note, rank: note.id === last ? 1000 : promise(mutant, note, words) }))
				.sort((x, y) => y.rank - x.rank || timeOf([x.note]) - timeOf([y.note]))
				.map(({ note }) => note);
			let rest = spread(ranked);
			for (const { most, time } of PORTIONS) {
				let size = 0;
				while (size < Math.min(rest.length, most) && timeOf(rest.slice(0, size)) < time) size += 1;
				if (size > 0) yield rest.slice(0, size);
				rest = rest.slice(size);
			}
			if (isThorough && rest.length > 0) yield rest;
		},
	};
}

/**
 * The first of each test file before the second of any: they see the most of different things.
 *
 * @param {Note[]} ranked
 */
function spread(ranked) {
	/** @type {Map<string, number>} */
	const seen = new Map();
	return ranked
		.map((note, rank) => {
			const turn = (seen.get(note.file) ?? 0) + 1;
			seen.set(note.file, turn);
			return { note, place: rank < 4 ? 0 : turn, rank };
		})
		.sort((x, y) => x.place - y.place || x.rank - y.rank)
		.map(({ note }) => note);
}

/**
 * @param {Note[]} notes
 * @returns {Pick[]}
 */
export function asPicks(notes) {
	/** @type {Map<string, string[]>} */
	const ids = new Map();
	for (const { file, id } of notes) ids.set(file, [...(ids.get(file) ?? []), id]);
	return [...ids].map(([file, testIds]) => ({ file, testIds }));
}

/**
 * @param {Note[]} notes
 * @returns {number} the milliseconds that these tests took, with what their files do before
 */
export function timeOf(notes) {
	const setUps = new Map(notes.map(({ file, setUp }) => [file, setUp]));
	return [...setUps.values(), ...notes.map(({ ms }) => ms)].reduce((sum, ms) => sum + ms, 0);
}
