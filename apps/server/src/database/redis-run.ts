import type { Redis } from "ioredis";
import type { Log } from "../monitoring/log";

/**
 * Names the run of the Redis server behind a connection. It is a part of the keys.
 *
 * A server that restarts with an older snapshot, or a replica that takes over, has lost its last writes:
 * sessions that have ended would be there again, also those of deleted users, and links that were used.
 * So whatever another run has written is not read. The database has all sessions that are valid, and Redis
 * gets them from there.
 */
export function redisRun(redis: Redis, log: Log): () => Promise<string> {
	let known: Promise<string> | null = null;
	redis.on("close", () => {
		known = null;
	});

	async function read(): Promise<string> {
		const info = await redis.info("server").catch((error: unknown) => {
			if (!/NOPERM/.test(String(error))) throw error;
			log.warn("The Redis user may not call INFO, so sessions can come back after a restore");
			return "";
		});
		return /^run_id:(\w+)/m.exec(info)?.[1] ?? "";
	}

	return () => {
		// Not connected: the command fails, whatever its key is.
		if (redis.status !== "ready") return Promise.resolve("");
		if (known) return known;
		const reading = read();
		known = reading;
		reading.catch(() => {
			if (known === reading) known = null;
		});
		return reading;
	};
}
