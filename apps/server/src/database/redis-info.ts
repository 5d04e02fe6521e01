import type { Redis } from "ioredis";

/** What Redis says about itself. */
export type RedisInfo = {
	/** Changes when the process restarts. */
	runId: string;
	/** Changes when it becomes a master. */
	replicationId: string;
	isMaster: boolean;
};

export async function readRedisInfo(redis: Redis): Promise<RedisInfo> {
	const [server, replication] = await Promise.all([
		redis.info("server"),
		redis.info("replication"),
	]);
	return {
		runId: fieldOf(server, "run_id"),
		replicationId: fieldOf(replication, "master_replid"),
		isMaster: fieldOf(replication, "role") === "master",
	};
}

/** `standalone`, `cluster` or `sentinel`. */
export const readRedisMode = async (redis: Redis) =>
	fieldOf(await redis.info("server"), "redis_mode");

/** @throws if INFO does not have it: without it, Redis could go back in time unnoticed */
function fieldOf(info: string, name: string): string {
	const value = new RegExp(`^${name}:(\\S+)`, "m").exec(info)?.[1];
	if (!value) throw new Error(`the response of INFO has no ${name}`);
	return value;
}
