import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A program of this benchmark in its own process. It replies to each message with one. */
export interface Child {
	process: ChildProcess;
	/** The next message that it sends. */
	receive<Reply>(): Promise<Reply>;
	ask<Reply>(message: object): Promise<Reply>;
	close(): Promise<void>;
}

export function startChild(program: URL, task?: object): Child {
	const child = fork(fileURLToPath(program), task ? [JSON.stringify(task)] : []);
	const exited = once(child, "exit");
	let closing = false;

	async function receive<Reply>(): Promise<Reply> {
		const [reply] = await Promise.race([
			once(child, "message"),
			exited.then(([code]) => {
				throw new Error(`${program.pathname} ended with ${code}`);
			}),
		]);
		return reply as Reply;
	}
	exited.catch(() => {});
	return {
		process: child,
		receive,
		ask(message) {
			child.send(message);
			return receive();
		},
		async close() {
			if (closing) return;
			closing = true;
			child.kill();
			await exited;
		},
	};
}
