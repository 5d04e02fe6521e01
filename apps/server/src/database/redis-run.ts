import { createHash, randomUUID } from "node:crypto";
import { mastersOf, type RedisClient } from "./redis-client";
import { readRedisInfo } from "./redis-info";

/** A server notices within this time that Redis is another one, even if its connection stays open. */
export const RUN_CHECK_MS = 1000;

export type RedisRun = {
	/** The name of the run. Empty if there is no connection: the command fails, whatever its key is. */
	find: () => Promise<string>;
	/** Starts a new run, so that all servers ignore what Redis has. */
	startNew: () => Promise<void>;
};

/**
 * Names the run of the Redis server behind a connection. It is a part of the keys.
 *
 * A server that restarts with an older snapshot, or a replica that takes over, has lost its last writes:
 * sessions that have ended would be there again, also those of deleted users, and links that were used.
 * So whatever another run has written is not read. The database has all sessions that are valid, and Redis
 * gets them from there.
 *
 * A restart changes `run_id`, and closes the connection. A promotion changes `master_replid`, and may
 * leave it open: a master that was a replica for some time has its old `run_id`, and its old keys.
 */
export function redisRun(redis: RedisClient, prefix: string): RedisRun {
	const generationKey = `${prefix}generation`;
	let known: { run: Promise<string>; readAt: number } | null = null;
	const forget = () => {
		known = null;
	};
	// The last two are those of a cluster.
	for (const event of ["close", "+node", "-node"]) redis.on(event, forget);

	async function read(): Promise<string> {
		const [generation, ...servers] = await Promise.all([
			redis.get(generationKey),
			...mastersOf(redis).map(readRedisInfo),
		]);
		if (servers.some(({ isMaster }) => !isMaster)) throw new Error("Redis is a replica");
		const names = servers.map(({ runId, replicationId }) => `${runId} ${replicationId}`).sort();
		const text = [generation ?? "", ...names].join();
		return createHash("sha256").update(text).digest("hex").slice(0, 20);
	}

	return {
		find: () => {
			if (redis.status !== "ready") return Promise.resolve("");
			if (known && performance.now() - known.readAt < RUN_CHECK_MS) return known.run;
			const reading = { run: read(), readAt: performance.now() };
			known = reading;
			reading.run.catch(() => {
				if (known === reading) forget();
			});
			return reading.run;
		},
		startNew: async () => {
			// Without an expiry: the run before must not come back.
			await redis.set(generationKey, randomUUID());
			forget();
		},
	};
}
