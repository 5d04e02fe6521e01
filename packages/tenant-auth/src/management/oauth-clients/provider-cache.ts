import type { OAuthConfigRow } from "./config";

/** A provider with its row needs about 4 KB. */
const LIMIT = 1000;

/** All that a provider is built from. */
const SOURCES = [
	"id",
	"tenantId",
	"providerId",
	"clientId",
	"clientSecret",
	"scopes",
	"redirectURI",
	"options",
	"trustEmails",
] as const satisfies (keyof OAuthConfigRow)[];

interface Entry<Provider> {
	row: OAuthConfigRow;
	/**
	 * A promise only until it is settled. In Node.js before 24, a promise keeps what `AsyncLocalStorage`
	 * had when it was made: the whole request, with its cookies.
	 */
	state: { building: Promise<Provider> } | { provider: Provider };
}

/**
 * Keeps what was built from the rows of OAuth configs: to decrypt the credentials costs more than the
 * rest of a sign-in.
 *
 * A caller reads the row first, in every call. What was built is used only if the whole row is still the
 * same, so a change by another instance applies at once. A version or a time could be the same for two
 * writes; two encryptions of a credential never are. What was used least recently is forgotten first.
 */
export class ProviderCache<Provider> {
	readonly #entries = new Map<string, Entry<Provider>>();
	readonly #limit: number;

	constructor(limit = LIMIT) {
		this.#limit = limit;
	}

	/** What was built from the same row, or else what `build` makes of it. Calls at once build once. */
	async get(row: OAuthConfigRow, build: () => Promise<Provider>): Promise<Provider> {
		const key = keyOf(row.tenantId, row.providerId);
		const known = this.#entries.get(key);
		this.#entries.delete(key);
		if (known && isSame(known.row, row)) {
			this.#entries.set(key, known);
			if ("provider" in known.state) return known.state.provider;
			// Not the error of another call: core adds the headers of the call to it, with its cookies.
			return known.state.building.catch(() => build());
		}
		const building = build();
		const entry: Entry<Provider> = { row, state: { building } };
		this.#entries.set(key, entry);
		this.#evict();
		try {
			const provider = await building;
			entry.state = { provider };
			return provider;
		} catch (error) {
			// The next call tries again.
			this.#drop(key, entry);
			throw error;
		}
	}

	/** To be called when a tenant turns out to have no such config, or a disabled one. */
	forget(tenantId: string, providerId: string): void {
		this.#entries.delete(keyOf(tenantId, providerId));
	}

	get size(): number {
		return this.#entries.size;
	}

	#evict(): void {
		const [oldest] = this.#entries.keys();
		if (this.#entries.size > this.#limit && oldest !== undefined) this.#entries.delete(oldest);
	}

	#drop(key: string, entry: Entry<Provider>): void {
		if (this.#entries.get(key) === entry) this.#entries.delete(key);
	}
}

const keyOf = (tenantId: string, providerId: string) => JSON.stringify([tenantId, providerId]);

const isSame = (one: OAuthConfigRow, other: OAuthConfigRow) =>
	SOURCES.every((field) => one[field] === other[field]);
