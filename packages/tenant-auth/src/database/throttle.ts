/** Work is not interrupted before. Every step of another request may have to wait for that long. */
const SLICE_MS = 2;
const MAX_PAUSE_MS = 100;
/** The part of the time that is left for others, if there seem to be none. */
const SPARE = 0.5;
/** A pause that ends so late: others have used it. */
const LATE_MS = 1;

/** Await it between two steps of long work. */
export type Throttle = () => Promise<void>;

/**
 * Lets others run while long work goes on. It pauses half as long as the work ran since the last pause.
 * If others use the process meanwhile, it pauses for as long as the work ran, once more. A database
 * driver that responds synchronously would otherwise never yield to the event loop.
 */
export function createThrottle(): Throttle {
	let resumedAt = performance.now();
	return async () => {
		const worked = performance.now() - resumedAt;
		if (worked < SLICE_MS) return;
		if ((await pause(worked * SPARE)) > LATE_MS) await pause(worked);
		resumedAt = performance.now();
	};
}

/**
 * Lets others run once, without a pause: for work that holds locks. Drivers of SQLite also free the memory of
 * their statements only then, and a signal such as that of Ctrl-C has no effect before.
 */
export const yieldToOthers = (): Promise<void> =>
	new Promise((resume) => {
		setTimeout(resume, 0);
	});

/** Returns by how much it took too long. */
async function pause(milliseconds: number): Promise<number> {
	// A timer has no fractions.
	const asked = Math.ceil(Math.min(milliseconds, MAX_PAUSE_MS));
	const startedAt = performance.now();
	await new Promise((resume) => setTimeout(resume, asked));
	return performance.now() - startedAt - asked;
}
