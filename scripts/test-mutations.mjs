// Takes out security checks, one after the other, and requires that `npm test` fails each time. It works in
// a copy of the workspace, and runs only the suite that the list (scripts/mutations) names for a check. It
// ends with a table of the tests that failed. Arguments are parts of names in the list.
//
//   npm run test:mutations
//   npm run test:mutations -- suspended "last owner"
//   npm run test:mutations -- --thorough    runs all suites if the named one does not fail

import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { makeLinkedCopy } from "./linked-copy.mjs";
import { runTests, withMutation } from "./mutation-run.mjs";
import { MUTATIONS } from "./mutations/index.mjs";

/** @typedef {import("./mutations/index.mjs").Mutation} Mutation */

const repository = fileURLToPath(new URL("..", import.meta.url));

try {
	process.exitCode = main(process.argv.slice(2));
} catch (error) {
	console.error(`test-mutations: ${error instanceof Error ? error.message : error}`);
	process.exitCode = 1;
}

/** @param {string[]} args */
function main(args) {
	const isThorough = args.includes("--thorough");
	const chosen = choose(args.filter((argument) => argument !== "--thorough"));
	const root = makeLinkedCopy(repository);
	try {
		requireGreen(root, chosen);
		const search = isThorough ? searchInAllSuites(root) : () => null;
		const rows = chosen.map((mutation) => {
			const caught = findInNamedSuite(root, mutation) ?? search(mutation);
			if (caught) console.log(`caught: ${mutation.name}`);
			return { name: mutation.name, caught };
		});
		printTable(rows);
		return rows.every(({ caught }) => caught) ? 0 : 1;
	} finally {
		rmSync(root, { recursive: true, force: true });
	}
}

/** @param {string[]} parts */
function choose(parts) {
	const chosen = MUTATIONS.filter(
		({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)),
	);
	if (chosen.length > 0) return chosen;
	throw new Error(`no mutation has ${parts.map((part) => `"${part}"`).join(" or ")} in its name`);
}

/**
 * A suite that fails anyway would catch everything.
 *
 * @param {string} root
 * @param {readonly Mutation[]} mutations
 */
function requireGreen(root, mutations) {
	const files = [...new Set(mutations.map(({ caughtBy }) => caughtBy))];
	console.log(`test-mutations: ${files.length} suites without a mutation`);
	const { failed, broken, passed } = runTests(root, files);
	if (failed.length + broken.length === 0 && passed > 0) return;
	throw new Error(`these fail without a mutation:\n${[...failed, ...broken].join("\n")}`);
}

/**
 * The test that failed. A suite that cannot be loaded catches nothing.
 *
 * @param {string} root
 * @param {Mutation} mutation
 */
function findInNamedSuite(root, mutation) {
	const { name, caughtBy } = mutation;
	const { failed, broken } = withMutation(root, mutation, () =>
		runTests(root, [caughtBy], ["--bail=1"]),
	);
	if (failed[0]) return failed[0];
	const outcome = broken.length > 0 ? "fails outside of its tests" : "passes";
	console.log(`NOT CAUGHT: ${name} (${caughtBy} ${outcome})`);
	return null;
}

/** @param {string} root */
function searchInAllSuites(root) {
	/** @type {Set<string> | undefined} */
	let failingAnyway;
	return (/** @type {Mutation} */ mutation) => {
		failingAnyway ??= new Set(runTests(root).failed);
		const { failed } = withMutation(root, mutation, () => runTests(root));
		return failed.find((test) => !failingAnyway?.has(test)) ?? null;
	};
}

/** @param {{ name: string, caught: string | null }[]} rows */
function printTable(rows) {
	const cell = (/** @type {string} */ text) => text.replaceAll("|", "\\|");
	console.log("\n| mutation | caught by |\n| --- | --- |");
	for (const { name, caught } of rows)
		console.log(`| ${name} | ${cell(caught ?? "**nothing**")} |`);
	const missed = rows.filter(({ caught }) => !caught).length;
	console.log(`\n${rows.length - missed} of ${rows.length} mutations were caught`);
}
