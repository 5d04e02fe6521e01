const FIRST = 25;
const MIN_BATCH_SIZE = 20;
const MAX_BATCH_SIZE = 100;
const STEP_UP = 5;

/** A batch should take at most this long: others wait for its locks, and on SQLite for all of it. */
const SLOW_MS = 20;

/** Finds how many rows a batch may have, by how long batches take. */
export interface BatchSize {
	readonly current: number;
	/** Runs a batch. The next one is smaller if it was slow, otherwise larger. */
	measure<T>(batch: () => Promise<T>): Promise<T>;
}

export function createBatchSize(): BatchSize {
	let current = FIRST;
	return {
		get current() {
			return current;
		},
		async measure(batch) {
			const startedAt = performance.now();
			const result = await batch();
			const took = performance.now() - startedAt;
			if (took > SLOW_MS) current = Math.max(MIN_BATCH_SIZE, Math.floor(current / 2));
			else if (took < SLOW_MS / 2) current = Math.min(MAX_BATCH_SIZE, current + STEP_UP);
			return result;
		},
	};
}
