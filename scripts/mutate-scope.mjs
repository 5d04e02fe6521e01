// Takes one statement, condition, operand or element of the scope's code away at a time, in a copy of
// the repository, and tells which of these mutants no test notices.
//
//   node scripts/mutate-scope.mjs [--file scoped-adapter] [--sample 50] [--minutes 10]
//     [--workers 2] [--survivors] [--tests host-tables] [--kind statement]
//
// Each mutant meets the most promising tests for about twenty seconds. `--survivors` tries those again
// that the last run left, with all tests that come by; `--tests` asks some test files only, `--kind`
// takes away only what is of that kind (a statement, a condition, an operand and so on). Those in
// `mutation/accepted.json` are not tried: no test can notice them, for the reason that is given there.

import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findOutdated, isAccepted } from "./mutation/accepted.mjs";
import { makeBench } from "./mutation/benches.mjs";
import { findRefused } from "./mutation/compiling.mjs";
import { makePlan } from "./mutation/covering-tests.mjs";
import { hashOfCode, openKept } from "./mutation/kept.mjs";
import { keyOf, openMemory } from "./mutation/memory.mjs";
import { findMutants } from "./mutation/mutants.mjs";
import { record } from "./mutation/recording.mjs";
import { findTests, readSources, takeSnapshot } from "./mutation/snapshot.mjs";
import { tryAll } from "./mutation/trials.mjs";

/** @typedef {import("./mutation/mutants.mjs").Mutant} Mutant */

/** Asked last of all, for what no other test notices. */
const SLOW =
	/conformance|faults|interleaving|matrix|readme|quick-start|built-client|browser|openapi|database\.|upgrade|password-queue|brands|erase-many|provider-|bad-input|oauth-c|identity/;

const { values } = parseArgs({
	options: {
		file: { type: "string" },
		sample: { type: "string" },
		minutes: { type: "string" },
		workers: { type: "string" },
		survivors: { type: "boolean" },
		tests: { type: "string", multiple: true },
		kind: { type: "string", multiple: true },
	},
});

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const scope = "packages/tenant-auth/src/scope";
const startedAt = Date.now();
const deadline = startedAt + Number(values.minutes ?? Number.POSITIVE_INFINITY) * 60_000;
const { memory, keep } = openMemory(root);

const copy = takeSnapshot(root);
const benches = Array.from({ length: Number(values.workers ?? availableParallelism()) }, () =>
	makeBench(copy, scope),
);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
process.once("exit", () => {
	for (const bench of benches) bench.end();
	rmSync(copy, { recursive: true, force: true });
});
process.exit(await check());

/** @returns {Promise<number>} the exit code */
async function check() {
	const sources = readSources(join(copy, scope));
	const all = findMutants(sources);
	const chosen = choose(all);
	const code = hashOfCode(copy);
	const refused = findKnownRefused(code, sources, chosen);
	const compiling = chosen.filter(({ id }) => !refused.has(id));
	const queue = spreadOut(compiling.filter((mutant) => !isAccepted(mutant)));
	say(
		`${chosen.length} mutants: ${refused.size} do not compile, ${compiling.length - queue.length} are accepted, ${queue.length} to try`,
	);

	/** @type {Mutant[]} */
	let survivors = [];
	let noticed = 0;
	/** @type {Mutant[]} */
	const untried = [];
	const tests = findTests(join(copy, "packages/tenant-auth/test")).filter(
		(path) => !values.tests || values.tests.some((part) => path.includes(part)),
	);
	for (const isSlow of [false, true]) {
		const mutants = isSlow ? survivors : queue;
		if (mutants.length === 0 || Date.now() > deadline) break;
		survivors = [];
		const notes = await record({
			root,
			code,
			copy,
			benches,
			files: tests.filter((path) => SLOW.test(path) === isSlow),
		});
		for (const { file, name, passed } of notes) {
			if (!passed) say(`fails without any mutant: ${relative(copy, file)}  ${name}`);
		}
		const plan = makePlan(
			notes.filter(({ passed }) => passed),
			all,
			values.survivors === true,
		);
		say(`${notes.length} ${isSlow ? "slow" : "quick"} tests recorded`);
		untried.push(
			...(await tryAll({
				benches,
				plan,
				mutants,
				deadline,
				lastNoticed: (mutant) => memory.noticedBy[keyOf(mutant)],
				onEnd: (mutant, noticedBy) => {
					memory.survivors = memory.survivors.filter((key) => key !== keyOf(mutant));
					if (noticedBy) {
						memory.noticedBy[keyOf(mutant)] = noticedBy;
						noticed += 1;
						if (noticed % 25 === 0) say(`${noticed} noticed`);
					} else {
						survivors.push(mutant);
						memory.survivors.push(keyOf(mutant));
						say(`survived  ${asLine(mutant)}  (${plan.testsOf(mutant).length} tests come by)`);
					}
					keep();
				},
			})),
		);
	}

	const outdated = findOutdated(all);
	for (const entry of outdated) say(`accepted, but not there any more: ${entry}`);
	say(
		`${noticed} of ${queue.length} noticed by tests, ${refused.size} by the compiler, ${compiling.length - queue.length} accepted${untried.length > 0 ? `, ${untried.length} not tried to the end` : ""}`,
	);
	for (const mutant of survivors.sort(byPlace)) console.log(`survived  ${asLine(mutant)}`);
	return survivors.length + outdated.length > 0 ? 1 : 0;
}

/**
 * @param {string} code
 * @param {Map<string, string>} sources
 * @param {Mutant[]} mutants
 */
function findKnownRefused(code, sources, mutants) {
	/** @type {ReturnType<typeof openKept<boolean>>} */
	const { entries, keep } = openKept(root, "refused", code);
	const unknown = mutants.filter(({ id }) => entries[id] === undefined);
	if (unknown.length > 0) {
		const project = join(copy, "packages/tenant-auth");
		const refused = findRefused(project, join(copy, scope), sources, unknown);
		for (const { id } of unknown) entries[id] = refused.has(id);
		keep();
	}
	return new Set(mutants.map(({ id }) => id).filter((id) => entries[id]));
}

/**
 * @param {Mutant[]} all
 * @returns {Mutant[]}
 */
function choose(all) {
	const wanted = all.filter(
		(mutant) =>
			mutant.file.startsWith(values.file ?? "") &&
			(!values.kind || values.kind.includes(mutant.kind)) &&
			(!values.survivors || memory.survivors.includes(keyOf(mutant))),
	);
	const sample = Math.min(Number(values.sample ?? wanted.length), wanted.length);
	return spreadOut(wanted).slice(0, sample);
}

/**
 * Always in the same order, but spread over all files: a run that is cut short is a fair sample.
 *
 * @param {Mutant[]} all
 * @returns {Mutant[]}
 */
function spreadOut(all) {
	const place = ({ id = 0 }) => (id * 104_729) % 65_537;
	return all.toSorted((x, y) => place(x) - place(y));
}

/** @param {string} text */
function say(text) {
	const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
	console.log(`${minutes.padStart(5)} min  ${text}`);
}

/** @param {Mutant} mutant */
function asLine({ file, line, what }) {
	return `${file}:${line}  ${what}`;
}

/**
 * @param {Mutant} x
 * @param {Mutant} y
 */
function byPlace(x, y) {
	return x.file.localeCompare(y.file) || x.line - y.line;
}
