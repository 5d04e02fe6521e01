import type { BetterAuthOptions } from "better-auth";
import { Redis } from "ioredis";
import type { Log } from "./logs/log";
import { StartError } from "./start-error";

export type RedisStore = {
	/** For Better Auth: sessions, verifications and rate limits, shared by all servers. */
	storage: NonNullable<BetterAuthOptions["secondaryStorage"]>;
	/** Asks it, and fails when it does not answer. */
	ask: () => Promise<void>;
	close: () => Promise<void>;
};

/** Counts, and sets the time to live with the first: a counter without one would block for good. */
const countWithExpiry = `
local count = redis.call("INCR", KEYS[1])
if count == 1 then redis.call("EXPIRE", KEYS[1], ARGV[1]) end
return count
`;

/** @throws StartError when it does not answer */
export async function openRedis(url: string, log: Log, prefix = "auth:"): Promise<RedisStore> {
	const redis = new Redis(url, {
		lazyConnect: true,
		connectTimeout: 5000,
		commandTimeout: 5000,
		// A caller gets an error rather than to wait for as long as Redis is away.
		maxRetriesPerRequest: 1,
	});
	let lastError: Error | null = null;
	redis.on("error", (error) => {
		// It is tried again every second or two, which is nothing to say each time.
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
		// What was thrown only says that the connection is closed.
		const cause = lastError ?? failure;
		const reason = cause instanceof Error ? cause.message : String(cause);
		throw new StartError(`The Redis at REDIS_URL cannot be used: ${reason}`, { cause });
	}
	const named = (key: string) => prefix + key;
	return {
		storage: {
			get: (key) => redis.get(named(key)),
			set: async (key, value, ttl) => {
				if (ttl) await redis.set(named(key), value, "EX", Math.ceil(ttl));
				else await redis.set(named(key), value);
			},
			delete: async (key) => {
				await redis.del(named(key));
			},
			getAndDelete: (key) => redis.getdel(named(key)),
			increment: async (key, ttl) =>
				Number(await redis.eval(countWithExpiry, 1, named(key), Math.ceil(ttl))),
		},
		ask: async () => {
			await redis.ping();
		},
		close: async () => {
			await redis.quit().catch(() => redis.disconnect());
		},
	};
}
