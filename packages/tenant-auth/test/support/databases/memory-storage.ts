import type { BetterAuthOptions } from "better-auth";

type SecondaryStorage = NonNullable<BetterAuthOptions["secondaryStorage"]>;

interface MemoryStorage extends SecondaryStorage {
	/** Saves all entries. The returned function restores them. */
	save(): () => void;
	/** Everything that is in it. */
	entries(): [key: string, value: string][];
	/** Grows with each change. */
	changes(): number;
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
	let changes = 0;
	const set = (key: string, value: string, ttl = Number.POSITIVE_INFINITY) => {
		changes += 1;
		entries.set(key, { value, expiresAt: Date.now() + ttl * 1000 });
	};
	const remove = (key: string) => {
		if (entries.delete(key)) changes += 1;
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
		entries: () => [...entries].map(([key, { value }]) => [key, value]),
		changes: () => changes,
		save() {
			const saved = [...entries];
			return () => {
				entries.clear();
				for (const [key, entry] of saved) entries.set(key, entry);
			};
		},
	};
}

/** Makes one operation of a storage fail, and all others work. */
export function makeFaultyStorage(storage: SecondaryStorage = makeMemoryStorage()) {
	let left = 0;
	let failed = false;
	const step = async () => {
		left -= 1;
		if (left !== 0) return;
		failed = true;
		throw new Error("the storage is down");
	};
	const faulty: SecondaryStorage = {
		get: async (key) => step().then(() => storage.get(key)),
		set: async (key, value, ttl) => step().then(() => storage.set(key, value, ttl)),
		delete: async (key) => step().then(() => storage.delete(key)),
		getAndDelete: async (key) => step().then(() => storage.getAndDelete(key)),
		increment: async (key, ttl) => step().then(() => storage.increment(key, ttl)),
	};
	return {
		storage: faulty,
		/** The n-th operation from now on fails. */
		failAt(n: number) {
			left = n;
			failed = false;
		},
		/** Whether it came so far. */
		stop(): boolean {
			left = 0;
			return failed;
		},
	};
}
