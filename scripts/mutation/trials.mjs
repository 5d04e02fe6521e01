// Tries mutants, many in one run of the tests, until a test notices each or none is left to ask.

import { asPicks, timeOf } from "./covering-tests.mjs";

/**
 * @typedef {import("./mutants.mjs").Mutant} Mutant
 * @typedef {import("./bench.mjs").Note} Note
 * @typedef {import("./benches.mjs").Result} Result
 * @typedef {ReturnType<typeof import("./benches.mjs").makeBench>} Bench
 * @typedef {ReturnType<typeof import("./covering-tests.mjs").makePlan>} Plan
 * @typedef {object} Trial
 * @property {Mutant} mutant
 * @property {Generator<Note[], undefined>} portions
 * @property {number} round
 * @property {Note[]} [again] the tests whose answer is not known
 * @property {number} doubts how often the answer was not to be trusted
 * @typedef {{ trial: Trial, tests: Note[] }} Attempt
 * @typedef {{ noticedBy: string | null } | { doubts: number }} Verdict
 */

/** How long the tests of one run take together at most, in milliseconds, if no mutant slows them. */
const RUN = 60_000;
const MOST = 150;

/** A mutant is tried alone after so many answers that were not to be trusted. */
const TOO_DOUBTFUL = 2;

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
		const portions = plan.portionsOf(mutant, () => lastNoticed(mutant));
		return { mutant, portions, round: 0, doubts: 0 };
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
		const doubtful = waiting.find(({ doubts }) => doubts >= TOO_DOUBTFUL);
		const turn = doubtful ? [doubtful] : waiting.filter((trial) => trial.round === round);
		let time = 0;
		for (const trial of turn) {
			if (time >= RUN || attempts.length >= MOST) break;
			const tests = trial.again ?? trial.portions.next().value;
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
				if (attempts.length === 0) continue;
				const verdicts = await attemptAll(bench, attempts);
				for (const [index, { trial, tests }] of attempts.entries()) {
					const verdict = verdicts[index] ?? { doubts: 0 };
					if ("doubts" in verdict) {
						waiting.push({ ...trial, again: tests, doubts: trial.doubts + verdict.doubts });
					} else if (verdict.noticedBy) {
						plan.praise(trial.mutant, verdict.noticedBy);
						onEnd(trial.mutant, verdict.noticedBy);
					} else {
						const { mutant, portions, round } = trial;
						waiting.push({ mutant, portions, round: round + 1, doubts: 0 });
					}
				}
			}
		}),
	);
	return waiting.map(({ mutant }) => mutant);
}

/**
 * @param {Bench} bench
 * @param {Attempt[]} attempts
 */
async function attemptAll(bench, attempts) {
	const task = {
		attempts: attempts.map(({ trial, tests }) => ({
			mutant: trial.mutant.id,
			isStatic: trial.mutant.isStatic,
			picks: asPicks(tests),
			// What waits for ever is noticed as well. The control tells if the machine is merely slow.
			timeout: 5_000 + 10 * Math.max(...tests.map(({ ms, setUp }) => Math.max(ms, setUp))),
		})),
		withControl: true,
	};
	const patience = 60_000 + Math.max(...task.attempts.map(({ timeout }) => timeout));
	const result = await bench.ask(task, patience);
	const last = task.attempts.flatMap(({ picks }, trial) => picks.map(() => trial))[result.begun];
	return attempts.map(({ tests }, trial) =>
		judge(result, { trial, tests, last, isAlone: attempts.length === 1 }),
	);
}

/**
 * @param {Result} result
 * @param {object} attempt
 * @param {number} attempt.trial
 * @param {Note[]} attempt.tests
 * @param {number} [attempt.last] the trial that was begun last, none if it was the control
 * @param {boolean} attempt.isAlone
 * @returns {Verdict}
 */
function judge({ notes, error }, { trial, tests, last, isAlone }) {
	const own = notes.filter((note) => note.trial === trial);
	const failed = own.filter(({ passed }) => !passed);
	if (failed.length === 0 && own.length >= tests.length) return { noticedBy: null };
	if (error) {
		if (isAlone) return { noticedBy: error };
		if (last === undefined) return { doubts: 1 };
		// Its tests were running when the end came. The others could not show what they do.
		return { doubts: trial === last ? TOO_DOUBTFUL : 0 };
	}
	const failing = new Set(
		notes.filter((note) => note.isControl && !note.passed).map(({ id }) => id),
	);
	const noticing = failed.find(({ id }) => !failing.has(id));
	if (noticing) return { noticedBy: noticing.id };
	if (!isAlone) return { doubts: 1 };
	return { noticedBy: failed.length === 0 ? "a test that could not begin" : null };
}
