// A process with Vitest in it, kept alive so that every file is transformed once. It is told which
// mutants to turn on and which tests to run with each, and answers with how they ended.

import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createVitest } from "vitest/node";
import { findMutants } from "./mutants.mjs";
import { readSources } from "./snapshot.mjs";
import { switchedSource } from "./switched-source.mjs";

/**
 * @typedef {{ file: string, testIds?: string[] }} Pick
 * @typedef {object} Attempt
 * @property {number} mutant
 * @property {boolean} isStatic
 * @property {Pick[]} picks
 * @property {number} timeout of each test and hook, in milliseconds
 * @typedef {{ attempts: Attempt[], withControl: boolean }} Task
 * @typedef {object} Note how a test ended, or a file or group of tests that could not run
 * @property {number} trial
 * @property {string} id
 * @property {string} name
 * @property {string} file
 * @property {number} ms
 * @property {number} setUp milliseconds before the first test of the file
 * @property {boolean} passed
 * @property {boolean} isControl
 * @property {number[]} hits
 * @property {number[]} outside
 */

class InGivenOrder {
	/** @param {import("vitest/node").TestSpecification[]} files */
	async sort(files) {
		return files;
	}
	/** @param {import("vitest/node").TestSpecification[]} files */
	async shard(files) {
		return files;
	}
}

const root = process.argv[2] ?? "";
const scope = process.argv[3] ?? "";
const sources = readSources(join(root, scope));
const mutants = findMutants(sources);

const vitest = await createVitest(
	"test",
	{
		root,
		watch: false,
		isolate: false,
		fileParallelism: false,
		maxWorkers: 1,
		reporters: [{}],
		typecheck: { enabled: false },
		passWithNoTests: true,
		// Modules that are loaded again and again pile up.
		execArgv: ["--max-old-space-size=3072"],
		runner: fileURLToPath(new URL("./runner.ts", import.meta.url)),
		sequence: { sequencer: InGivenOrder },
	},
	{
		plugins: [
			{
				name: "mutants-behind-switches",
				enforce: "pre",
				transform(_, path) {
					if (dirname(path) !== join(root, scope)) return;
					const file = basename(path);
					const first = mutants.find((mutant) => mutant.file === file);
					return (
						first && { code: switchedSource(file, sources.get(file) ?? "", first.id), map: null }
					);
				},
			},
		],
	},
);
await vitest.standalone();
const project = vitest.getRootProject();

process.on("message", async (/** @type {Task & { noteTo: string }} */ task) => {
	try {
		process.send?.({ error: await run(task) });
	} catch (error) {
		process.send?.({ error: error instanceof Error ? String(error.stack) : String(error) });
	}
});
// A test that never ends would go on without it.
process.on("disconnect", () => process.kill(-process.pid, "SIGKILL"));
process.send?.({});

/**
 * All attempts run in one process. With a control, the tests that failed run once more in the end,
 * with no mutant: then nothing but the mutant was the reason.
 *
 * @param {Task & { noteTo: string }} task
 * @returns {Promise<string | undefined>} what ended the process too early
 */
async function run({ attempts, withControl, noteTo }) {
	const turns = attempts.flatMap(({ picks, ...rest }, trial) =>
		picks.map((pick) => ({ pick, trial, ...rest, isControl: false })),
	);
	if (withControl) {
		const timeout = Math.max(...attempts.map((attempt) => attempt.timeout));
		const control = { trial: -1, mutant: -1, isStatic: false, isControl: true, timeout };
		turns.push(...united(turns.map(({ pick }) => pick)).map((pick) => ({ pick, ...control })));
	}
	project.provide(
		"turns",
		turns.map(({ pick: _, ...turn }) => turn),
	);
	project.provide("noteTo", noteTo);
	const { unhandledErrors } = await vitest.runTestSpecifications(
		turns.map(({ pick: { file, testIds } }) =>
			project.createSpecification(file, testIds && { testIds }),
		),
		false,
	);
	const messages = unhandledErrors.map((error) => (error instanceof Error ? error.message : ""));
	return messages.find((message) => /Errors occurred while running tests/.test(message));
}

/**
 * @param {Pick[]} picks
 * @returns {Pick[]} each file once
 */
function united(picks) {
	/** @type {Map<string, Set<string>>} */
	const ids = new Map();
	for (const { file, testIds = [] } of picks) {
		ids.set(file, new Set([...(ids.get(file) ?? []), ...testIds]));
	}
	return [...ids].map(([file, testIds]) => ({ file, testIds: [...testIds] }));
}
