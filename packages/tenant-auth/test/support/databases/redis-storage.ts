import type { BetterAuthOptions } from "better-auth";
import { Redis } from "ioredis";

type SecondaryStorage = NonNullable<BetterAuthOptions["secondaryStorage"]>;

export interface RedisStorage {
	storage: SecondaryStorage;
	/** Everything that is in it. */
	entries(): Promise<[key: string, value: string | null][]>;
	/** Deletes what it holds and hangs up. */
	close(): Promise<void>;
}

const freshPrefix = () => `tenant-auth-${Date.now()}-${Math.random().toString(36).slice(2, 8)}:`;

/** A secondary storage as a host would write it, under a prefix of its own unless one is given. */
export function openRedis(address: string, prefix = freshPrefix()): RedisStorage {
	const redis = new Redis(address);
	const keys = () => redis.keys(`${prefix}*`);
	return {
		storage: {
			get: (key) => redis.get(prefix + key),
			set: async (key, value, ttl) => {
				if (ttl) await redis.set(prefix + key, value, "EX", ttl);
				else await redis.set(prefix + key, value);
			},
			delete: async (key) => {
				await redis.del(prefix + key);
			},
			getAndDelete: (key) => redis.getdel(prefix + key),
			increment: async (key, ttl) => {
				const count = await redis.incr(prefix + key);
				if (count === 1) await redis.expire(prefix + key, ttl);
				return count;
			},
		},
		entries: async () =>
			Promise.all(
				(await keys()).map(
					async (key): Promise<[string, string | null]> => [
						key.slice(prefix.length),
						await redis.get(key),
					],
				),
			),
		async close() {
			const left = await keys();
			if (left.length > 0) await redis.del(...left);
			await redis.quit();
		},
	};
}
