/** One of several things that are timed against each other. */
export interface Contestant {
	/** Makes what the calls need, which is not timed. */
	prepare(calls: number): Promise<(() => Promise<void>)[]>;
}

export interface RoundOptions {
	rounds: number;
	/** Calls of each contestant in a round. */
	calls: number;
	/** Rounds before the first that counts. */
	warmUp: number;
}

/** Microseconds per call of each contestant, round by round. */
export type Timings = number[][];

/**
 * Times contestants in alternating rounds, each round in another order than the one before, so that
 * whatever else the machine does meets all of them.
 */
export async function timeInRounds(
	contestants: Contestant[],
	{ rounds, calls, warmUp }: RoundOptions,
): Promise<Timings> {
	const timings: Timings = contestants.map(() => []);
	for (let round = -warmUp; round < rounds; round += 1) {
		const prepared: (() => Promise<void>)[][] = [];
		for (const contestant of contestants) prepared.push(await contestant.prepare(calls));
		const order = contestants.map((_, index) => (index + Math.abs(round)) % contestants.length);
		if (round % 2 !== 0) order.reverse();
		globalThis.gc?.();
		for (const index of order) {
			const microseconds = await timePerCall(prepared[index] ?? []);
			if (round >= 0) timings[index]?.push(microseconds);
		}
	}
	return timings;
}

async function timePerCall(calls: (() => Promise<void>)[]): Promise<number> {
	const startedAt = performance.now();
	for (const call of calls) await call();
	return ((performance.now() - startedAt) / calls.length) * 1000;
}
