import { setTimeout as sleep } from "node:timers/promises";

/** In milliseconds. */
export interface Latencies {
	calls: number;
	median: number;
	p99: number;
	longest: number;
}

/**
 * Makes calls one after the other until it is stopped, each when it is due. It is timed from then on:
 * while the event loop is blocked, or the call before it takes long, no call can begin.
 */
export function probe(call: (n: number) => Promise<void>, everyMs: number) {
	const durations: number[] = [];
	let isStopped = false;

	async function run(): Promise<void> {
		const began = performance.now();
		for (let n = 0; !isStopped; n += 1) {
			const due = began + n * everyMs;
			await sleep(Math.max(0, due - performance.now()));
			await call(n);
			durations.push(performance.now() - due);
		}
	}
	const done = run();
	return {
		async stop(): Promise<Latencies> {
			isStopped = true;
			await done;
			return summary(durations);
		},
	};
}

function summary(durations: number[]): Latencies {
	const sorted = durations.toSorted((a, b) => a - b);
	const at = (part: number) =>
		Math.round((sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN) * 10) / 10;
	return { calls: sorted.length, median: at(0.5), p99: at(0.99), longest: at(1) };
}
