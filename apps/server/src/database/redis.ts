import type { BetterAuthOptions } from "better-auth";
import { Redis } from "ioredis";
import type { Log } from "../monitoring/log";
import type { Counters } from "../rate-limits/attempt-limits";
import { StartError } from "../settings/settings";

export type RedisStore = {
	/** Sessions, verification tokens and rate limits, which all servers share. */
	storage: NonNullable<BetterAuthOptions["secondaryStorage"]>;
	/** Attempts that are limited. */
	counters: Counters;
	/** Rejects if Redis does not answer. */
	ping: () => Promise<void>;
	close: () => Promise<void>;
};

/** Sets the expiry together with the first count. A counter without one would block a client forever. */
const countWithExpiry = `
local count = redis.call("INCR", KEYS[1])
if count == 1 then redis.call("EXPIRE", KEYS[1], ARGV[1]) end
return count
`;

/** A counter that has expired meanwhile must not come back without an expiry. */
const countDown = `
if redis.call("EXISTS", KEYS[1]) == 1 then redis.call("DECR", KEYS[1]) end
`;

/** @throws StartError if Redis does not answer */
export async function openRedis(url: string, log: Log, prefix = "auth:"): Promise<RedisStore> {
	const redis = new Redis(url, {
		lazyConnect: true,
		connectTimeout: 5000,
		commandTimeout: 5000,
		// Fail fast instead of waiting until Redis is back.
		maxRetriesPerRequest: 1,
	});
	let lastError: Error | null = null;
	redis.on("error", (error) => {
		// ioredis retries every second or two. One log line is enough.
		if (!lastError) log.warn({ err: error }, "Redis does not answer");
		lastError = error;
	});
	redis.on("ready", () => {
		if (lastError) log.info("Redis answers again");
		lastError = null;
	});
	try {
		await redis.connect();
		await redis.ping();
	} catch (failure) {
		redis.disconnect();
		// The thrown error only says that the connection is closed.
		const cause = lastError ?? failure;
		const reason = cause instanceof Error ? cause.message : String(cause);
		throw new StartError(`The Redis at REDIS_URL cannot be used: ${reason}`, { cause });
	}
	const prefixed = (key: string) => prefix + key;
	const increment = async (key: string, ttl: number) =>
		Number(await redis.eval(countWithExpiry, 1, prefixed(key), Math.ceil(ttl)));
	return {
		storage: {
			get: (key) => redis.get(prefixed(key)),
			set: async (key, value, ttl) => {
				if (ttl) await redis.set(prefixed(key), value, "EX", Math.ceil(ttl));
				else await redis.set(prefixed(key), value);
			},
			delete: async (key) => {
				await redis.del(prefixed(key));
			},
			getAndDelete: (key) => redis.getdel(prefixed(key)),
			increment,
		},
		counters: {
			increment,
			decrement: async (key) => void (await redis.eval(countDown, 1, prefixed(key))),
		},
		ping: async () => {
			await redis.ping();
		},
		close: async () => {
			await redis.quit().catch(() => redis.disconnect());
		},
	};
}
