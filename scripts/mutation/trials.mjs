// Tries mutants, many in one run of the tests, until a test notices each or none is left to ask.

import { asPicks } from "./covering-tests.mjs";

/**
 * @typedef {import("./mutants.mjs").Mutant} Mutant
 * @typedef {import("./bench.mjs").Note} Note
 * @typedef {ReturnType<typeof import("./benches.mjs").makeBench>} Bench
 * @typedef {ReturnType<typeof import("./covering-tests.mjs").makePlan>} Plan
 * @typedef {{ mutant: Mutant, portions: Generator<Note[], undefined>, round: number }} Trial
 * @typedef {{ trial: Trial, tests: Note[] }} Attempt
 */

/** How long the tests of one run take together at most, in milliseconds, if no mutant slows them. */
const RUN = 12_000;
const MOST = 30;

/**
 * @param {object} of
 * @param {Bench[]} of.benches
 * @param {Plan} of.plan
 * @param {Mutant[]} of.mutants
 * @param {number} of.deadline
 * @param {(mutant: Mutant) => string | undefined} of.lastNoticed
 * @param {(mutant: Mutant, noticedBy: string | null) => void} of.onEnd
 * @returns {Promise<Mutant[]>} those that there was no time for
 */
export async function tryAll({ benches, plan, mutants, deadline, lastNoticed, onEnd }) {
	/** @type {Trial[]} */
	let waiting = mutants.map((mutant) => {
		return { mutant, portions: plan.portionsOf(mutant, () => lastNoticed(mutant)), round: 0 };
	});

	/**
	 * What the first tests did not notice waits until all others had their first.
	 *
	 * @returns {Attempt[]}
	 */
	const takeSome = () => {
		/** @type {Attempt[]} */
		const attempts = [];
		const round = Math.min(...waiting.map((trial) => trial.round));
		let time = 0;
		for (const trial of waiting.filter((it) => it.round === round)) {
			if (time >= RUN || attempts.length >= MOST) break;
			const tests = trial.portions.next().value;
			waiting = waiting.filter((it) => it !== trial);
			if (tests) attempts.push({ trial, tests });
			else onEnd(trial.mutant, null);
			time += timeOf(tests ?? []);
		}
		return attempts;
	};

	await Promise.all(
		benches.map(async (bench) => {
			while (Date.now() < deadline && waiting.length > 0) {
				const attempts = takeSome();
				const outcomes = await attemptAll(bench, attempts);
				for (const [index, { trial }] of attempts.entries()) {
					const noticedBy = outcomes[index];
					if (noticedBy) {
						plan.praise(trial.mutant, noticedBy);
						onEnd(trial.mutant, noticedBy);
					} else waiting.push({ ...trial, round: trial.round + 1 });
				}
			}
		}),
	);
	return waiting.map(({ mutant }) => mutant);
}

/**
 * @param {Bench} bench
 * @param {Attempt[]} attempts
 * @returns {Promise<(string | null)[]>} for each what noticed the mutant
 */
async function attemptAll(bench, attempts) {
	if (attempts.length === 0) return [];
	const task = {
		attempts: attempts.map(({ trial, tests }) => ({
			mutant: trial.mutant.id,
			picks: asPicks(tests),
		})),
		withControl: true,
	};
	const patience = 60_000 + 10 * attempts.reduce((sum, { tests }) => sum + timeOf(tests), 0);
	const { notes, error } = await bench.ask(task, patience);
	const isAlone = attempts.length === 1;
	if (error && isAlone) return [error];
	const failing = new Set(
		notes.filter((note) => note.isControl && !note.passed).map(({ id }) => id),
	);
	/** @type {(string | null)[]} */
	const outcomes = [];
	for (const [index, attempt] of attempts.entries()) {
		const own = notes.filter(({ trial }) => trial === index);
		const failed = own.find(({ passed }) => !passed);
		const isMissing = !failed && own.length < attempt.tests.length;
		const isDoubtful = error || isMissing || (failed && failing.has(failed.id));
		if (isDoubtful && !isAlone) outcomes.push(...(await attemptAll(bench, [attempt])));
		else if (isMissing) outcomes.push("a test that could not begin");
		else outcomes.push(failed && !failing.has(failed.id) ? failed.id : null);
	}
	return outcomes;
}

/** @param {Note[]} tests */
function timeOf(tests) {
	return tests.reduce((sum, { ms }) => sum + ms, 0);
}
