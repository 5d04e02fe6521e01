/** A client that sends or takes nothing for so long has gone away. */
const STALL_MS = 60_000;

/** A client that stays slower than 16 KB a second keeps the place of another one. */
const MIN_BYTES_PER_MS = 16;

/** How long the server goes on waiting for a client. The time that the server itself needs is not counted. */
export class ClientPace {
	#leftMs = STALL_MS;

	get leftMs(): number {
		return Math.max(this.#leftMs, 0);
	}

	/** The server has waited so long for the client, and got or sent so many bytes. */
	record(waitedMs: number, bytes: number): void {
		this.#leftMs = Math.min(this.#leftMs - waitedMs + bytes / MIN_BYTES_PER_MS, STALL_MS);
	}
}
