import type { BetterAuthOptions } from "better-auth";

type SecondaryStorage = NonNullable<BetterAuthOptions["secondaryStorage"]>;

interface MemoryStorage extends SecondaryStorage {
	/** Saves all entries. The returned function restores them. */
	save(): () => void;
}

export const isMemoryStorage = (storage?: SecondaryStorage): storage is MemoryStorage =>
	storage !== undefined && "save" in storage;

/** A secondary storage in the memory of this process, in place of Redis. */
export function makeMemoryStorage(): MemoryStorage {
	const entries = new Map<string, { value: string; expiresAt: number }>();
	const get = (key: string) => {
		const entry = entries.get(key);
		return entry && entry.expiresAt > Date.now() ? entry.value : null;
	};
	const set = (key: string, value: string, ttl = Number.POSITIVE_INFINITY) => {
		entries.set(key, { value, expiresAt: Date.now() + ttl * 1000 });
	};
	const remove = (key: string) => {
		entries.delete(key);
	};
	return {
		get,
		set,
		delete: remove,
		getAndDelete(key) {
			const value = get(key);
			remove(key);
			return value;
		},
		increment(key, ttl) {
			const count = Number(get(key) ?? 0) + 1;
			const expiresAt = entries.get(key)?.expiresAt;
			set(key, String(count), count === 1 || !expiresAt ? ttl : (expiresAt - Date.now()) / 1000);
			return count;
		},
		save() {
			const saved = [...entries];
			return () => {
				entries.clear();
				for (const [key, entry] of saved) entries.set(key, entry);
			};
		},
	};
}
