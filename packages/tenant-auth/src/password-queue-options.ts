import { BetterAuthError } from "@better-auth/core/error";

export interface PasswordQueueOptions {
	/**
	 * How many passwords are hashed at once. More than there are cores make none of them faster and
	 * take the event loop its share; Node hashes on a pool of four threads, which also looks up host
	 * names.
	 *
	 * @default the number of cores, three at most, and two where the runtime does not tell
	 */
	concurrency?: number;
	/**
	 * How many passwords of one tenant may wait. The platform's users count as one tenant.
	 *
	 * @default 100
	 */
	maxWaitingPerTenant?: number;
	/**
	 * How many passwords of all tenants together may wait. Where that many do, the tenant that has most
	 * of them gives up a place to one that has fewer.
	 *
	 * @default 1000
	 */
	maxWaiting?: number;
}

export type PasswordQueueLimits = Required<PasswordQueueOptions>;

/** Leaves one of the four threads of Node's pool to everything else. */
const MOST_AT_ONCE = 3;
/** Node 20 does not tell. */
const LIKELY_CORES = 2;

export function resolvePasswordQueue(
	options: PasswordQueueOptions | false = {},
): PasswordQueueLimits | false {
	if (options === false) return false;
	const { navigator } = globalThis as { navigator?: { hardwareConcurrency?: number } };
	const cores = navigator?.hardwareConcurrency ?? LIKELY_CORES;
	const limits = {
		concurrency: options.concurrency ?? Math.min(cores, MOST_AT_ONCE),
		maxWaitingPerTenant: options.maxWaitingPerTenant ?? 100,
		maxWaiting: options.maxWaiting ?? 1000,
	};
	for (const [name, limit] of Object.entries(limits)) {
		const least = name === "concurrency" ? 1 : 0;
		if (!Number.isSafeInteger(limit) || limit < least) {
			throw new BetterAuthError(
				`tenantAuth: passwordQueue.${name} is ${limit}, which is no whole number of ${least} or more`,
			);
		}
	}
	return limits;
}
