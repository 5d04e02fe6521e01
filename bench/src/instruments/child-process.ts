import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A program of this benchmark in a process of its own, which answers each message with one. */
export interface Child {
	process: ChildProcess;
	/** The next message that it sends. */
	receive<Answer>(): Promise<Answer>;
	ask<Answer>(message: object): Promise<Answer>;
	close(): Promise<void>;
}

export function startChild(program: URL, task?: object): Child {
	const child = fork(fileURLToPath(program), task ? [JSON.stringify(task)] : []);
	const exited = once(child, "exit");
	let closing = false;

	async function receive<Answer>(): Promise<Answer> {
		const [answer] = await Promise.race([
			once(child, "message"),
			exited.then(([code]) => {
				throw new Error(`${program.pathname} ended with ${code}`);
			}),
		]);
		return answer as Answer;
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
