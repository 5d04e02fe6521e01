// Several benches at once. One that does not answer in time is ended, and another takes its place.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/**
 * @typedef {import("./bench.mjs").Task} Task
 * @typedef {import("./bench.mjs").Result} Result
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
	 * @param {number} patience in milliseconds
	 * @returns {Promise<Result>}
	 */
	async function ask(task, patience) {
		child ??= start();
		const bench = child.process;
		await child.ready;
		const answer = answerOf(bench);
		bench.send(task);
		let timer;
		const late = new Promise((resolve) => {
			timer = setTimeout(() => resolve({ notes: [], error: "a test never ended" }), patience);
		});
		const result = /** @type {Result} */ (await Promise.race([answer, late]));
		clearTimeout(timer);
		if (result.error) end();
		return result;
	}

	return { ask, end };
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<Result>}
 */
async function answerOf(child) {
	const over = new AbortController();
	const answer = once(child, "message", over).then(([message]) => message);
	const exit = once(child, "exit", over).then(() => ({ notes: [], error: "the bench has ended" }));
	exit.catch(() => {});
	try {
		return await Promise.race([answer, exit]);
	} finally {
		answer.catch(() => {});
		over.abort();
	}
}
