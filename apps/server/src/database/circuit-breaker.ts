import { isOutage, StoreUnavailableError } from "./outage";

/** How long a store that has failed is not asked. */
const PAUSE_MS = 1000;

const MESSAGE = "Redis does not respond";

/**
 * Lets calls fail at once while a store is known not to respond, so that requests do not wait for it one
 * after the other. After a pause, one call tries again.
 */
export class CircuitBreaker {
	#failedAt: number | null = null;
	#isTrying = false;

	/** The store is known to respond again. */
	close(): void {
		this.#failedAt = null;
	}

	async run<T>(work: () => Promise<T>): Promise<T> {
		const isOpen = this.#failedAt !== null;
		if (isOpen && (this.#isTrying || performance.now() - (this.#failedAt ?? 0) < PAUSE_MS)) {
			throw new StoreUnavailableError(MESSAGE);
		}
		this.#isTrying = isOpen;
		try {
			const result = await work();
			this.#failedAt = null;
			return result;
		} catch (error) {
			if (!isOutage(error)) {
				this.#failedAt = null;
				throw error;
			}
			this.#failedAt = performance.now();
			throw new StoreUnavailableError(MESSAGE, { cause: error });
		} finally {
			if (isOpen) this.#isTrying = false;
		}
	}
}
