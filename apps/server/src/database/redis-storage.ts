import type { BetterAuthOptions } from "better-auth";
import { currentRequest, noteOutage } from "../monitoring/request-record";
import { CircuitBreaker } from "./circuit-breaker";
import { type Counters, memoryCounters } from "./counters";
import { StoreUnavailableError } from "./outage";
import type { RedisClient } from "./redis-client";
import type { RedisRun } from "./redis-run";
import { waitForStore } from "./wait-for-store";

type SecondaryStorage = NonNullable<BetterAuthOptions["secondaryStorage"]>;

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

/** Keys of sessions, which are in the database too: tokens, lists of tokens, and ended sessions. */
const SESSION_KEY =
	/^([A-Za-z\d]{32}|active-sessions-.*|revoked-sessions-before-.*|tenant-auth:session-.*)$/;
/** The keys of sessions themselves. */
const TOKEN_KEY = /^[A-Za-z\d]{32}$/;

/**
 * What Better Auth stores in Redis. Without Redis, people can still sign in, and sessions are read from
 * the database, which always has the truth. Everything else fails, above all what ends a session: it
 * would come back with Redis.
 */
export function redisStorage(
	redis: RedisClient,
	prefix: string,
	run: Pick<RedisRun, "find">,
): { storage: SecondaryStorage; counters: Counters } {
	const breaker = new CircuitBreaker();
	redis.on("ready", () => breaker.close());
	const local = memoryCounters();
	const prefixed = (key: string) => prefix + key;
	/** What must not come back. A counter that comes back does no harm. */
	const ofRun = async (key: string) => inRun(await run.find(), key);
	const inRun = (run: string, key: string) => `${prefix}${run}:${key}`;

	/** A request without time left is no reason to spare Redis. */
	const ask = <T>(work: () => Promise<T>) => waitForStore(() => breaker.run(work));

	async function withoutRedis<T>(work: () => Promise<T>, instead: () => Promise<T>): Promise<T> {
		try {
			return await ask(work);
		} catch (error) {
			if (error instanceof StoreUnavailableError) return instead();
			throw error;
		}
	}
	async function required<T>(work: () => Promise<T>): Promise<T> {
		return ask(work).catch((error: unknown) => {
			if (error instanceof StoreUnavailableError) noteOutage();
			throw error;
		});
	}
	/** A session in a request that cannot end or change one. */
	const isDispensable = (key: string) =>
		SESSION_KEY.test(key) && currentRequest()?.worksWithoutRedis === true;

	const increment = (key: string, ttl: number) =>
		withoutRedis(
			async () => Number(await redis.eval(countWithExpiry, 1, prefixed(key), Math.ceil(ttl))),
			() => local.increment(key, ttl),
		);
	return {
		storage: {
			get: (key) => {
				const read = async () => {
					const current = await run.find();
					noteRun(current);
					// For Redis this is a write. A replica, or a master without its replicas, refuses it: it may not
					// know that a session has ended.
					return redis.getex(inRun(current, key));
				};
				const instead = async () => {
					noteRun("");
					return null;
				};
				return isDispensable(key) ? withoutRedis(read, instead) : required(read);
			},
			set: async (key, value, ttl) => {
				const write = async () => {
					const current = await run.find();
					if (TOKEN_KEY.test(key) && isOfOtherRun(current)) return;
					if (ttl) await redis.set(inRun(current, key), value, "EX", Math.ceil(ttl));
					else await redis.set(inRun(current, key), value);
				};
				await (isDispensable(key) ? withoutRedis(write, async () => {}) : required(write));
			},
			delete: async (key) => void (await required(async () => redis.del(await ofRun(key)))),
			getAndDelete: (key) => required(async () => redis.getdel(await ofRun(key))),
			increment,
		},
		counters: {
			increment,
			decrement: (key) =>
				withoutRedis(
					async () => void (await redis.eval(countDown, 1, prefixed(key))),
					() => local.decrement(key),
				),
		},
	};
}

/** Remembers in which run a request has read first. */
function noteRun(run: string): void {
	const request = currentRequest();
	if (request) request.redisRun ??= run;
}

/**
 * Whether the request has read in another run. A session that it writes back may have ended since, and
 * this run does not know it.
 */
function isOfOtherRun(run: string): boolean {
	const first = currentRequest()?.redisRun ?? null;
	return first !== null && first !== run;
}
