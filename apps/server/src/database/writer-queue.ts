type Waiting = { admit: () => void; timer: NodeJS.Timeout };

/** One holder at a time, first come first served. */
export class WriterQueue {
	readonly #patienceMs: number;
	readonly #waiting = new Set<Waiting>();
	#held = false;

	/** @param patienceMs how long {@link enter} waits before it gives up */
	constructor(patienceMs: number) {
		this.#patienceMs = patienceMs;
	}

	/** Waits for its turn. Whoever got in must call {@link leave} exactly once. */
	async enter(): Promise<void> {
		if (!this.#held) {
			this.#held = true;
			return;
		}
		await new Promise<void>((resolve, reject) => {
			const waiting: Waiting = {
				admit: resolve,
				// Code in a writing transaction that writes past it, on another connection, waits for
				// itself. An error frees both; without one the server would never write again.
				timer: setTimeout(() => {
					this.#waiting.delete(waiting);
					reject(new Error(`The database was busy writing for ${this.#patienceMs} ms.`));
				}, this.#patienceMs),
			};
			this.#waiting.add(waiting);
		});
	}

	/** Hands the turn to the next in line, if there is one. */
	leave(): void {
		const [next] = this.#waiting;
		if (!next) {
			this.#held = false;
			return;
		}
		this.#waiting.delete(next);
		clearTimeout(next.timer);
		next.admit();
	}
}
