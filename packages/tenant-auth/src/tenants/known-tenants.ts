/** Ids of tenants that were there once, as many as fit: the longest unasked for goes first. */
export class KnownTenants {
	readonly #ids = new Set<string>();
	readonly #most: number;

	constructor(most = 10_000) {
		this.#most = most;
	}

	has(id: string): boolean {
		if (!this.#ids.delete(id)) return false;
		this.#ids.add(id);
		return true;
	}

	add(id: string): void {
		this.#ids.add(id);
		const [oldest] = this.#ids;
		if (this.#ids.size > this.#most && oldest !== undefined) this.#ids.delete(oldest);
	}
}
