// A process with Vitest in it, kept alive so that every file is transformed once. It is told which
// mutants to turn on and which tests to run with each, and answers with how they ended.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createVitest } from "vitest/node";
import { findMutants } from "./mutants.mjs";
import { readSources } from "./snapshot.mjs";
import { switchedSource } from "./switched-source.mjs";

/**
 * @typedef {{ file: string, testIds?: string[] }} Pick
 * @typedef {{ mutant: number, picks: Pick[] }} Attempt
 * @typedef {object} Note how a test ended
 * @property {number} trial
 * @property {string} id
 * @property {string} name
 * @property {string} file
 * @property {number} ms
 * @property {boolean} passed
 * @property {boolean} isLate
 * @property {boolean} isControl
 * @property {number[]} hits
 * @property {number[]} outside
 * @typedef {{ attempts: Attempt[], withControl: boolean }} Task
 * @typedef {{ notes: Note[], error?: string }} Result
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
		testTimeout: 20_000,
		hookTimeout: 30_000,
		setupFiles: [fileURLToPath(new URL("./switches.ts", import.meta.url))],
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

process.on("message", async (/** @type {Task} */ task) => {
	try {
		answer({ notes: await run(task) });
	} catch (error) {
		answer({ notes: [], error: error instanceof Error ? String(error.stack) : String(error) });
	}
});
process.on("disconnect", () => process.exit());
answer({ notes: [] });

/** @param {Result} result */
function answer(result) {
	process.send?.(result);
}

/**
 * All attempts run in one process. With a control, the tests that failed run once more in the end,
 * with no mutant: then nothing but the mutant was the reason.
 *
 * @param {Task} task
 * @returns {Promise<Note[]>}
 */
async function run({ attempts, withControl }) {
	const folder = mkdtempSync(join(tmpdir(), "mutation-notes-"));
	const noteTo = join(folder, "notes.jsonl");
	writeFileSync(noteTo, "");
	const turns = attempts.flatMap(({ mutant, picks }, trial) =>
		picks.map((pick) => ({ pick, trial, mutant, isControl: false })),
	);
	if (withControl) {
		const control = { trial: -1, mutant: -1, isControl: true };
		turns.push(...united(turns.map(({ pick }) => pick)).map((pick) => ({ pick, ...control })));
	}
	project.provide(
		"turns",
		turns.map(({ pick: _, ...turn }) => turn),
	);
	project.provide("noteTo", noteTo);
	await vitest.runTestSpecifications(
		turns.map(({ pick: { file, testIds } }) =>
			project.createSpecification(file, testIds && { testIds }),
		),
		false,
	);
	const notes = readFileSync(noteTo, "utf8").split("\n").filter(Boolean);
	rmSync(folder, { recursive: true });
	return notes.map((note) => JSON.parse(note));
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
