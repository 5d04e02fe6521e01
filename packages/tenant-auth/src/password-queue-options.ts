import { BetterAuthError } from "@better-auth/core/error";

export interface PasswordQueueOptions {
	/**
	 * Maximum number of concurrent password hashes. Values above the number of CPU cores do not increase
	 * throughput and delay the event loop. Node hashes on a pool of four threads, which also resolves
	 * host names.
	 *
	 * @default the number of cores, at most three; two if the runtime does not report it
	 */
	concurrency?: number;
	/**
	 * Maximum number of waiting passwords per tenant. The platform counts as one tenant.
	 *
	 * @default 100
	 */
	maxWaitingPerTenant?: number;
	/**
	 * Maximum number of waiting passwords of all tenants. If the queue is full, the tenant with the most
	 * loses a place to one with fewer.
	 *
	 * @default 1000
	 */
	maxWaiting?: number;
}

export type PasswordQueueLimits = Required<PasswordQueueOptions>;

/** Leaves one of the four threads of Node's pool for other work. */
const MOST_AT_ONCE = 3;
/** Node 20 does not report it. */
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
