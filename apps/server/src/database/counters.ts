/** Where attempts are counted. */
export type Counters = {
	/** @returns the new count. The first one sets the expiry. */
	increment: (key: string, ttlSeconds: number) => Promise<number>;
	decrement: (key: string) => Promise<void>;
};

export function memoryCounters(): Counters {
	const counters = new MemoryCounters();
	return {
		increment: async (key, ttlSeconds) => counters.increment(key, ttlSeconds),
		decrement: async (key) => counters.decrement(key),
	};
}

/** Many clients, and little memory. */
const MAX_ENTRIES = 100_000;

/** Counts in this process: without Redis, and while Redis does not respond. */
class MemoryCounters {
	readonly #entries = new Map<string, { count: number; expiresAt: number }>();

	/** @returns the new count */
	increment(key: string, ttlSeconds: number): number {
		const now = Date.now();
		const entry = this.#entries.get(key);
		if (entry && entry.expiresAt > now) {
			entry.count += 1;
			return entry.count;
		}
		if (this.#entries.size >= MAX_ENTRIES) this.#prune(now);
		this.#entries.delete(key);
		this.#entries.set(key, { count: 1, expiresAt: now + ttlSeconds * 1000 });
		return 1;
	}

	decrement(key: string): void {
		const entry = this.#entries.get(key);
		if (entry && entry.count > 0) entry.count -= 1;
	}

	/** Deletes what has expired or, if that is not enough, the oldest tenth. */
	#prune(now: number): void {
		for (const [key, { expiresAt }] of this.#entries) {
			if (expiresAt <= now) this.#entries.delete(key);
		}
		const keys = this.#entries.keys();
		while (this.#entries.size > MAX_ENTRIES * 0.9) {
			this.#entries.delete(keys.next().value as string);
		}
	}
}
