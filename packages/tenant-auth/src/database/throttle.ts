const LONGEST_REST_MS = 100;

/** To be awaited between two steps of long work. */
export type Breathe = () => Promise<void>;

/**
 * Lets everybody else have their turn while long work goes on. It rests for as long as it has worked,
 * so that half of the time stays for others: for their requests, which a database driver that answers
 * at once would never let in, and for their statements.
 */
export function makeBreather(): Breathe {
	let resumed = performance.now();
	return async () => {
		const worked = performance.now() - resumed;
		await new Promise((wake) => setTimeout(wake, Math.min(worked, LONGEST_REST_MS)));
		resumed = performance.now();
	};
}
