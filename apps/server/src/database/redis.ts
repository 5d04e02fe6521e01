import type { BetterAuthOptions } from "better-auth";
import { Redis } from "ioredis";
import type { Log } from "../monitoring/log";
import { StartError } from "../settings/settings";
import type { Counters } from "./counters";
import { redisRun } from "./redis-run";
import { redisStorage } from "./redis-storage";

export type RedisStore = {
	/** Sessions, verification tokens and rate limits, which all servers share. */
	storage: NonNullable<BetterAuthOptions["secondaryStorage"]>;
	/** Attempts that are limited. */
	counters: Counters;
	/** Rejects if Redis does not respond, or does not write. */
	ping: () => Promise<void>;
	close: () => Promise<void>;
};

/** @throws StartError if Redis does not respond */
export async function openRedis(url: string, log: Log, prefix = "auth:"): Promise<RedisStore> {
	const redis = new Redis(url, {
		lazyConnect: true,
		connectTimeout: 5000,
		commandTimeout: 1000,
		// Fail at once instead of waiting until Redis is back.
		maxRetriesPerRequest: 0,
		enableOfflineQueue: false,
	});
	let lastError: Error | null = null;
	let isClosing = false;
	const noteError = (error: Error) => {
		// ioredis retries every second or two. One log line is enough.
		if (!lastError && !isClosing) log.warn({ err: error }, "Redis does not respond");
		lastError = error;
	};
	redis.on("error", noteError);
	redis.on("close", () => noteError(lastError ?? new Error("The connection is closed")));
	redis.on("ready", () => {
		if (lastError) log.info("Redis responds again");
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
	return {
		...redisStorage(redis, prefix, redisRun(redis, log)),
		ping: async () => {
			// A write: Redis may be full, or a replica.
			await redis.set(`${prefix}readiness`, "1", "EX", 60);
		},
		close: async () => {
			isClosing = true;
			await redis.quit().catch(() => redis.disconnect());
		},
	};
}
