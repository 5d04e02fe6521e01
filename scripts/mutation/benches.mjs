// Several benches at once. One whose tests do not get on is ended, and another takes its place.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * @typedef {import("./bench.mjs").Task} Task
 * @typedef {import("./bench.mjs").Note} Note
 * @typedef {{ error?: string }} Answer
 * @typedef {object} Result
 * @property {Note[]} notes
 * @property {number} begun the number of the last file that was begun
 * @property {string} [error] why the run ended early
 */

const program = fileURLToPath(new URL("./bench.mjs", import.meta.url));

/**
 * @param {string} root
 * @param {string} scope
 */
export function makeBench(root, scope) {
	/** @type {ReturnType<typeof start> | undefined} */
	let child;

	function start() {
		const started = spawn(process.execPath, [program, root, scope], {
			cwd: root,
			stdio: ["ignore", "ignore", "ignore", "ipc"],
			// A process group of its own, so that it ends together with the processes of its tests.
			detached: true,
		});
		return { process: started, ready: answerOf(started) };
	}

	function end() {
		const { pid } = child?.process ?? {};
		child = undefined;
		try {
			if (pid) process.kill(-pid, "SIGKILL");
		} catch {
			// It has ended by itself.
		}
	}

	/**
	 * @param {Task} task
	 * @param {number} patience how many milliseconds may pass without any note
	 * @returns {Promise<Result>}
	 */
	async function ask(task, patience) {
		child ??= start();
		const bench = child.process;
		await child.ready;
		const folder = mkdtempSync(join(root, "notes-"));
		const noteTo = join(folder, "notes.jsonl");
		writeFileSync(noteTo, "");
		const over = new AbortController();
		const answer = answerOf(bench);
		bench.send({ ...task, noteTo });
		const { error } = await Promise.race([answer, standstill(noteTo, patience, over.signal)]);
		over.abort();
		if (error) end();
		const result = readNotes(noteTo);
		rmSync(folder, { recursive: true });
		return { ...result, ...(error && { error }) };
	}

	return { ask, end };
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<Answer>}
 */
async function answerOf(child) {
	const over = new AbortController();
	const answer = once(child, "message", over).then(([message]) => message);
	const exit = once(child, "exit", over).then(() => ({ error: "the bench has ended" }));
	exit.catch(() => {});
	try {
		return await Promise.race([answer, exit]);
	} finally {
		answer.catch(() => {});
		over.abort();
	}
}

/**
 * @param {string} noteTo
 * @param {number} patience
 * @param {AbortSignal} signal
 * @returns {Promise<Answer>}
 */
function standstill(noteTo, patience, signal) {
	return new Promise((resolve) => {
		let size = 0;
		let grownAt = Date.now();
		const timer = setInterval(() => {
			const last = size;
			size = statSync(noteTo).size;
			if (size > last) grownAt = Date.now();
			else if (Date.now() - grownAt > patience) resolve({ error: "a test never ended" });
		}, 1000);
		signal.addEventListener("abort", () => clearInterval(timer));
	});
}

/**
 * @param {string} path
 * @returns {Result}
 */
function readNotes(path) {
	// The last line may be cut off.
	const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
	const all = lines.map((line) => JSON.parse(line));
	return {
		notes: all.filter((line) => !("begins" in line)),
		begun: all.findLast((line) => "begins" in line)?.begins ?? -1,
	};
}
