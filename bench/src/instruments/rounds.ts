/** One of several things that are measured against each other. */
export interface Contestant {
	/** Makes what the calls need, which is not measured. */
	prepare(calls: number): Promise<(() => Promise<void>)[]>;
}

export interface RoundOptions {
	rounds: number;
	/** Calls of each contestant in a round. */
	calls: number;
	/** Rounds before the first that is measured. */
	warmUp: number;
}

/** Microseconds per call of one contestant, round by round. */
export interface RoundTimes {
	time: number[];
	/** Of all threads of this process. */
	cpu: number[];
}

/**
 * Measures contestants in alternating rounds, each round in another order than the one before, so that
 * whatever else the machine does meets all of them.
 */
export async function measureInRounds(
	contestants: Contestant[],
	{ rounds, calls, warmUp }: RoundOptions,
): Promise<RoundTimes[]> {
	const times = contestants.map((): RoundTimes => ({ time: [], cpu: [] }));
	for (let round = -warmUp; round < rounds; round += 1) {
		const prepared: (() => Promise<void>)[][] = [];
		for (const contestant of contestants) prepared.push(await contestant.prepare(calls));
		globalThis.gc?.();
		for (const index of orderOf(round, contestants.length)) {
			const { time, cpu } = await perCall(prepared[index] ?? []);
			if (round < 0) continue;
			times[index]?.time.push(time);
			times[index]?.cpu.push(cpu);
		}
	}
	return times;
}

/** Who begins changes with each round, and every other round goes backward. */
export function orderOf(round: number, contestants: number): number[] {
	const order = Array.from(
		{ length: contestants },
		(_, index) => (index + Math.abs(round)) % contestants,
	);
	return round % 2 === 0 ? order : order.reverse();
}

async function perCall(calls: (() => Promise<void>)[]) {
	const used = process.cpuUsage();
	const startedAt = performance.now();
	for (const call of calls) await call();
	const time = (performance.now() - startedAt) * 1000;
	const { user, system } = process.cpuUsage(used);
	return { time: time / calls.length, cpu: (user + system) / calls.length };
}
