import { printError } from "../terminal";

/** Whether somebody pressed Ctrl-C. What is running then ends, and nothing else starts. */
export async function withInterruption<T>(
	work: (isStopped: () => boolean) => Promise<T>,
): Promise<T> {
	let stopped = false;
	const stop = () => {
		stopped = true;
		printError("\nStopping after the current transaction. Press Ctrl-C again to stop at once.");
	};
	// Once: the second one ends the process. Each transaction is still written whole or not at all.
	process.once("SIGINT", stop);
	try {
		return await work(() => stopped);
	} finally {
		process.off("SIGINT", stop);
	}
}
