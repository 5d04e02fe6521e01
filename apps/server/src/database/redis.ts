import type { BetterAuthOptions } from "better-auth";
import { Cluster } from "ioredis";
import type { Log } from "../monitoring/log";
import { StartError } from "../settings/start-error";
import type { Counters } from "./counters";
import { createRedisClient, type RedisClient } from "./redis-client";
import { readRedisMode } from "./redis-info";
import { type RedisRun, redisRun } from "./redis-run";
import { redisStorage } from "./redis-storage";

export type RedisStore = {
	/** Sessions, verification tokens and rate limits, which all servers share. */
	storage: NonNullable<BetterAuthOptions["secondaryStorage"]>;
	/** Attempts that are limited. */
	counters: Counters;
	/** Rejects if Redis does not respond, or does not write. */
	ping: () => Promise<void>;
	/** The time of Redis, in milliseconds. */
	readClock: () => Promise<number>;
	/** From now on, all servers ignore the sessions and tokens that Redis has. */
	forgetAll: () => Promise<void>;
	close: () => Promise<void>;
};

/** @throws StartError if Redis does not respond, does not write, or is of another kind than its URL says */
export async function openRedis(url: string, log: Log, prefix = "auth:"): Promise<RedisStore> {
	const redis = createRedisClient(url);
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
	const run = redisRun(redis, prefix);
	const ping = async () => {
		// A write: Redis may be full, or a replica.
		await redis.set(`${prefix}readiness`, "1", "EX", 60);
	};
	try {
		await redis.connect();
		await requireUsable(redis, run);
		await ping();
	} catch (failure) {
		isClosing = true;
		redis.disconnect();
		// The thrown error may only say that there is no connection.
		const cause = saysOnlyClosed(failure) ? (lastError ?? failure) : failure;
		throw new StartError(`The Redis at REDIS_URL cannot be used: ${reasonOf(cause)}`, { cause });
	}
	return {
		...redisStorage(redis, prefix, run),
		ping,
		readClock: async () => {
			const [seconds, microseconds] = await redis.time();
			return Number(seconds) * 1000 + Number(microseconds) / 1000;
		},
		forgetAll: run.startNew,
		close: async () => {
			isClosing = true;
			await redis.quit().catch(() => redis.disconnect());
		},
	};
}

/** The commands of a server that is not the right one fail later, and some of them by chance only. */
async function requireUsable(redis: RedisClient, run: RedisRun): Promise<void> {
	if (!(redis instanceof Cluster)) {
		const mode = await readRedisMode(redis);
		if (mode === "sentinel") {
			throw new Error("it is a Sentinel. Use redis-sentinel://host:port/name-of-the-master.");
		}
		if (mode === "cluster") {
			throw new Error("it is a node of a cluster. Use redis-cluster://host:port.");
		}
	}
	await run.find();
}

const saysOnlyClosed = (error: unknown) =>
	error instanceof Error && /^(Connection is closed|None of startup nodes)/.test(error.message);

function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const { lastNodeError } = error as { lastNodeError?: unknown };
	const { message } = lastNodeError instanceof Error ? lastNodeError : error;
	if (/^NOPERM/.test(message)) return `${message}. The user needs the command INFO, and all keys.`;
	if (/cluster support disabled/.test(message)) {
		return "it is not a node of a cluster. Use redis://host:port.";
	}
	if (/^All sentinels are unreachable/.test(message)) {
		return "no Sentinel responds, or none of them knows the master that REDIS_URL names.";
	}
	return message;
}
