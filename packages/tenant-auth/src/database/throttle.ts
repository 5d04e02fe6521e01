const MAX_PAUSE_MS = 100;

/** Await it between two steps of long work. */
export type Throttle = () => Promise<void>;

/**
 * Lets others run while long work goes on. It pauses for as long as the work ran since the last pause,
 * so half of the time is left for other requests and their statements. A database driver that answers
 * synchronously would otherwise never yield to the event loop.
 */
export function createThrottle(): Throttle {
	let resumedAt = performance.now();
	return async () => {
		const worked = performance.now() - resumedAt;
		await new Promise((resume) => setTimeout(resume, Math.min(worked, MAX_PAUSE_MS)));
		resumedAt = performance.now();
	};
}
