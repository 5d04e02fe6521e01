import { Cluster, type ClusterOptions, Redis, type RedisOptions } from "ioredis";
import { parseRedisUrl, type RedisLocation } from "../settings/redis-url";
import { StartError } from "../settings/start-error";

export type RedisClient = Redis | Cluster;

const OPTIONS = {
	connectTimeout: 5000,
	commandTimeout: 1000,
	// Fail at once instead of waiting until Redis is back. A command that was sent to another Redis is not
	// sent again: its key belongs to that one.
	maxRetriesPerRequest: 0,
	autoResendUnfulfilledCommands: false,
	// A master that was demoted. The next connection leads to the new one.
	reconnectOnError: (error) => error.message.startsWith("READONLY"),
} satisfies RedisOptions;

const WHILE_AWAY = { lazyConnect: true, enableOfflineQueue: false };

/** Does not connect yet. */
export function createRedisClient(url: string): RedisClient {
	const location = parseRedisUrl(url);
	if (typeof location === "string") throw new StartError(`REDIS_URL ${location}`);
	if (location.kind === "single") return new Redis(location.url, { ...OPTIONS, ...WHILE_AWAY });
	return location.kind === "sentinel" ? sentinelClient(location) : clusterClient(location);
}

function sentinelClient(location: Extract<RedisLocation, { kind: "sentinel" }>): Redis {
	const { sentinels, name, database, credentials, sentinelPassword, hasTls } = location;
	let hasConnected = false;
	const redis = new Redis({
		...OPTIONS,
		...WHILE_AWAY,
		...credentials,
		sentinels,
		name,
		db: database,
		...(sentinelPassword ? { sentinelPassword } : {}),
		...(hasTls ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
		// Without `failoverDetector`: while the connection is being made again, it can end it for good.
		// A start fails at once.
		sentinelRetryStrategy: (times) => (hasConnected ? Math.min(times * 100, 2000) : null),
	});
	redis.once("ready", () => {
		hasConnected = true;
	});
	return redis;
}

function clusterClient(location: Extract<RedisLocation, { kind: "cluster" }>): Cluster {
	const { nodes, credentials, hasTls } = location;
	const options: ClusterOptions = {
		...WHILE_AWAY,
		// A request must not wait while a replica takes over.
		maxRedirections: 3,
		slotsRefreshTimeout: 2000,
		// With TLS the name of a node must stay: its certificate has no IP address.
		...(hasTls ? { dnsLookup: (address, done) => done(null, address) } : {}),
		redisOptions: { ...OPTIONS, ...credentials, ...(hasTls ? { tls: {} } : {}) },
	};
	return new Cluster(nodes, options);
}

/** The servers that write: one, or all masters of a cluster. */
export const mastersOf = (redis: RedisClient): Redis[] =>
	redis instanceof Cluster ? redis.nodes("master") : [redis];
