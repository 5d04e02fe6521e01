/** How often the delay of the event loop is measured, in milliseconds. */
const INTERVAL = 50;
/** A delay above it is late: every step of every request waits for that long. */
const LATE = 25;
const MIN_PART = 1 / 4;
const STEP_DOWN = 0.75;
const STEPS_UP = 16;

export interface AdaptiveLimit {
	readonly current: number;
	/** The latest delay of the event loop, in milliseconds. */
	readonly delayMs: number;
	/** Measures from now on. */
	watch(): void;
	/** Stops: there is nothing to limit. */
	rest(): void;
}

/**
 * A limit that falls quickly while the event loop is late, and rises slowly while it is not. So it finds
 * the number of requests that the process can run at the same time, whatever one of them costs.
 */
export function createAdaptiveLimit({
	max,
	onRaised,
}: {
	max: number;
	onRaised: () => void;
}): AdaptiveLimit {
	const min = Math.max(1, Math.floor(max * MIN_PART));
	const stepUp = Math.max(1, Math.floor(max / STEPS_UP));
	let current = max;
	let delayMs = 0;
	let timer: ReturnType<typeof setTimeout> | undefined;

	/** A timer that is late shows how late everything is. */
	function measure(): void {
		const due = performance.now() + INTERVAL;
		timer = setTimeout(() => {
			delayMs = Math.max(0, performance.now() - due);
			measure();
			if (delayMs > LATE) current = Math.max(min, Math.floor(current * STEP_DOWN));
			else if (current < max) {
				current = Math.min(max, current + stepUp);
				onRaised();
			}
		}, INTERVAL);
	}

	return {
		get current() {
			return current;
		},
		get delayMs() {
			return delayMs;
		},
		watch() {
			if (timer === undefined) measure();
		},
		rest() {
			clearTimeout(timer);
			timer = undefined;
		},
	};
}
