// Runs tests in a copy of the workspace, with or without a mutation.

import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

/** @typedef {import("./mutations/index.mjs").Mutation} Mutation */

/**
 * @typedef {object} Outcome
 * @property {string[]} failed tests that failed, with the file in front
 * @property {string[]} broken files that failed without a test of them: they could not be loaded, or a hook failed
 * @property {number} passed how many tests passed
 */

/**
 * The list of mutations names texts of the sources. So its own test fails with every mutation, and says
 * nothing.
 */
const LEFT_OUT = "--exclude=scripts/mutations.test.ts";

/** Without a check, a test may wait forever. In milliseconds: the tests also need less on a busy machine. */
const LIMIT = 120_000;

/** Settings of a developer, which change what runs. */
const DEFAULT_MODE = { TEST_ALL: undefined, TEST_HANDLER: undefined, TEST_STATEMENTS: undefined };

/**
 * Runs the default suites: these files, or all of them.
 *
 * @param {string} root
 * @param {readonly string[]} files
 * @param {readonly string[]} options of Vitest
 * @returns {Outcome}
 */
export function runTests(root, files = [], options = []) {
	const report = join(root, "report.json");
	rmSync(report, { force: true });
	const args = ["node_modules/vitest/vitest.mjs", "run", "--typecheck.enabled=false"];
	const reporting = ["--reporter=json", `--outputFile=${report}`];
	const limits = [`--testTimeout=${LIMIT}`, `--hookTimeout=${LIMIT}`];
	const { stderr } = spawnSync(
		process.execPath,
		[...args, ...reporting, ...limits, LEFT_OUT, ...options, ...files],
		{
			cwd: root,
			encoding: "utf8",
			stdio: ["ignore", "ignore", "pipe"],
			maxBuffer: 1024 ** 3,
			env: { ...process.env, ...DEFAULT_MODE },
		},
	);
	try {
		return readReport(root, JSON.parse(readFileSync(report, "utf8")));
	} catch {
		throw new Error(`Vitest wrote no report\n${stderr.slice(-2000)}`);
	}
}

/**
 * @typedef {object} Report
 * @property {{ name: string, status: string, assertionResults: { status: string, fullName: string }[] }[]} testResults
 */

/**
 * @param {string} root
 * @param {Report} report
 * @returns {Outcome}
 */
function readReport(root, { testResults }) {
	const suites = testResults.map(({ name, status, assertionResults }) => {
		const titles = (/** @type {string} */ wanted) =>
			assertionResults.filter((test) => test.status === wanted).map(({ fullName }) => fullName);
		const file = relative(root, name);
		return { file, status, failed: titles("failed"), passed: titles("passed") };
	});
	return {
		failed: suites.flatMap(({ file, failed }) => failed.map((title) => `${file} > ${title}`)),
		broken: suites
			.filter(({ status, failed }) => status === "failed" && failed.length === 0)
			.map(({ file }) => file),
		passed: suites.reduce((sum, { passed }) => sum + passed.length, 0),
	};
}

/**
 * Applies a mutation to the copy while `work` runs.
 *
 * @template T
 * @param {string} root
 * @param {Mutation} mutation
 * @param {() => T} work
 * @returns {T}
 */
export function withMutation(root, { name, file, find, replace }, work) {
	const path = join(root, file);
	const source = readFileSync(path, "utf8");
	const [before = "", after, ...more] = source.split(find);
	if (after === undefined || more.length > 0) {
		throw new Error(`"${name}": its text must be in ${file} once`);
	}
	writeFileSync(path, before + replace + after);
	try {
		return work();
	} finally {
		writeFileSync(path, source);
	}
}
