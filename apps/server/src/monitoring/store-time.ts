/** How long a request waits for its stores: for connections and responses, all of them together. */
const LIMIT_MS = 15_000;

/**
 * Work through many rows: to import, move or delete the users of a tenant or all of it, and the members of
 * groups. It takes as long as it needs while its stores respond.
 */
const longWork =
	/^https?:\/\/[^/]+(\/api\/auth\/tenant\/(delete|user\/import|user\/move|scim\/set-roles)|\/service\/tenant-file\/(ex|im)port|(\/t\/[^/]+)?\/scim\/v2\/Groups(\/[^/]*)?)(\?|$)/;

/** The time that a request has left for its stores. Only waiting uses it up, and two waits at once count once. */
export class StoreTime {
	readonly #limitMs: number;
	#isForEachWait: boolean;
	#usedMs = 0;
	#waits = 0;
	#waitingSince = 0;

	constructor(request: Request, limitMs = LIMIT_MS) {
		this.#limitMs = limitMs;
		this.#isForEachWait = longWork.test(request.url);
	}

	get leftMs(): number {
		if (this.#isForEachWait) return this.#limitMs;
		const waitingMs = this.#waits > 0 ? performance.now() - this.#waitingSince : 0;
		return this.#limitMs - this.#usedMs - waitingMs;
	}

	/** @returns call it when the wait is over */
	startWait(): () => void {
		if (this.#waits === 0) this.#waitingSince = performance.now();
		this.#waits += 1;
		return () => {
			this.#waits -= 1;
			if (this.#waits === 0) this.#usedMs += performance.now() - this.#waitingSince;
		};
	}

	/** The response has begun. What goes on, such as a stream or a write in the background, is not cut off. */
	renewForEachWait(): void {
		this.#isForEachWait = true;
	}
}
