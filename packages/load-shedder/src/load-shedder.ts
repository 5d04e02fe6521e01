import { createAdaptiveLimit } from "./adaptive-limit";
import { type Caller, createWaitingRoom, type Work } from "./waiting-room";

export interface LoadShedderOptions {
	/**
	 * How many requests may run at the same time before tenants get shares. If the event loop is late,
	 * fewer may run, down to a quarter.
	 *
	 * @default 64
	 */
	maxRunning?: number;
	/**
	 * How long a request may wait for its turn, in milliseconds. It is refused between half of it and all
	 * of it. A client that repeats a refused request at once can do so only this often.
	 *
	 * @default 2000
	 */
	maxWaitMs?: number;
	/**
	 * How many requests may wait, of all tenants. If all places are taken, the tenant with the most loses
	 * one to a tenant with fewer.
	 *
	 * @default 2000
	 */
	maxWaiting?: number;
}

/** Where a request comes from. Neither needs to be verified. */
export interface RequestSource {
	/** What the request names as its tenant: an id, a slug or a host. `null` if it names none. */
	tenant: string | null;
	/** The client's IP address; `null` if it is not known. */
	address: string | null;
	/** Aborts if the client is gone: then its place is free. */
	signal?: AbortSignal;
}

/** Why a request is refused, for the response. */
export interface Refusal {
	status: 429 | 503;
	code: "TOO_MANY_CONCURRENT_REQUESTS" | "SERVER_OVERLOADED";
	message: string;
	/** For the header `Retry-After`. */
	retryAfterSeconds: number;
}

export type Admission =
	| { refusal: null /** Call it once the response is sent. */; release: () => void }
	| { refusal: Refusal };

export interface LoadShedder {
	/** Waits for the turn of a request, or refuses it. */
	admit(source: RequestSource): Promise<Admission>;
	/** The current numbers, for metrics. */
	readonly load: Readonly<Load>;
}

export interface Load {
	running: number;
	waiting: number;
	/** How many may run before tenants get shares. It falls if the event loop is late. */
	limit: number;
	/** The latest delay of the event loop, in milliseconds. */
	delayMs: number;
}

const TENANT_BUSY: Refusal = {
	status: 429,
	code: "TOO_MANY_CONCURRENT_REQUESTS",
	message: "This tenant or client sends too many requests at the same time",
	retryAfterSeconds: 1,
};

const OVERLOADED: Refusal = {
	status: 503,
	code: "SERVER_OVERLOADED",
	message: "The server is overloaded",
	retryAfterSeconds: 1,
};

/**
 * A request that never waits for anything, as on SQLite, is done before the next one is read. However
 * many there are, only one would run. So all that run in one turn of the event loop count together.
 */
const afterThisTurn: (work: () => void) => void =
	(globalThis as { setImmediate?: (work: () => void) => void }).setImmediate ??
	((work) => setTimeout(work, 0));

/** So many times the limit may run, if tenants below their share add to those above. */
const MAX_OVER_LIMIT = 4;

/**
 * Decides which requests may run, before anything else is done for them, without the database. While few
 * requests run, all of them may. Otherwise each tenant has the same share, and within a tenant each IP
 * address. A tenant below its share is admitted at once, and so is an
 * address below its part while another one has more. A request above waits a little, and is then refused.
 *
 * A request counts until you release it. So ask when its body is there, or limit the time of bodies:
 * otherwise clients hold places by sending nothing.
 *
 * Tenant and address are what the request says, so nothing depends on a name being true. Naming another
 * tenant only takes places of that tenant which its own callers, at other addresses, get first. Inventing
 * tenants does not help either: an address can never take all places.
 *
 * @throws Error on Cloudflare Workers
 *
 * @example
 * ```ts
 * const shedder = createLoadShedder();
 *
 * async function handle(request: Request, address: string): Promise<Response> {
 *   const tenant = request.headers.get("x-tenant-id");
 *   const admission = await shedder.admit({ tenant, address, signal: request.signal });
 *   if (admission.refusal) {
 *     const { status, code, message, retryAfterSeconds } = admission.refusal;
 *     const headers = { "Retry-After": String(retryAfterSeconds) };
 *     return Response.json({ code, message }, { status, headers });
 *   }
 *   return app(request).finally(admission.release);
 * }
 * ```
 */
export function createLoadShedder({
	maxRunning = 64,
	maxWaitMs = 2000,
	maxWaiting = 2000,
}: LoadShedderOptions = {}): LoadShedder {
	requireProcess();
	const limit = createAdaptiveLimit({ max: maxRunning, onRaised: startNext });
	const room = createWaitingRoom(maxWaiting);

	return {
		async admit(source) {
			if (source.signal?.aborted) return { refusal: TENANT_BUSY };
			const caller = room.callerOf(source);
			if (mayRun(caller)) return start(caller);
			return waitForTurn(caller, source.signal);
		},
		get load() {
			return {
				running: room.running,
				waiting: room.waiting,
				limit: limit.current,
				delayMs: limit.delayMs,
			};
		},
	};

	function mayRun(caller: Caller): boolean {
		return room.running < limit.current || isBelowShare(caller);
	}

	/** Then it may run although others use all places: quiet callers do not wait for loud ones. */
	function isBelowShare(caller: Caller): boolean {
		const { tenant, address } = caller;
		const max = limit.current * MAX_OVER_LIMIT;
		const share = Math.max(1, Math.floor(limit.current / room.runningTenants(tenant)));
		return (
			room.running < max &&
			(tenant.running < share || isBelowPart(caller, share)) &&
			// There is always room for one more address.
			address.running < max / (room.runningAddresses(address) + 1)
		);
	}

	/**
	 * One address must not use up the share of a tenant: then it could close any tenant that it names. So
	 * here an address counts with its part of the share only, and there is always room for a second one.
	 */
	function isBelowPart({ tenant, pair }: Caller, share: number): boolean {
		const pairs = room.runningPairs(tenant);
		const part = Math.max(1, share / (pairs.has(pair) ? pairs.size : pairs.size + 1));
		if (pair.running >= part) return false;
		let counted = 0;
		for (const { running } of pairs) counted += Math.min(running, part);
		return counted < Math.max(share, 2);
	}

	function start(caller: Caller): Admission {
		room.begin(caller);
		limit.watch();
		let isReleased = false;
		const release = () => {
			if (isReleased) return;
			isReleased = true;
			afterThisTurn(() => {
				room.end(caller);
				startNext();
				if (room.running === 0) limit.rest();
			});
		};
		return { refusal: null, release };
	}

	function startNext(): void {
		for (let next = room.findNext(mayRun); next; next = room.findNext(mayRun)) {
			room.remove(next);
			next.start();
		}
	}

	function waitForTurn(caller: Caller, signal?: AbortSignal): Promise<Admission> {
		return new Promise((resolve) => {
			const leave = () => {
				clearTimeout(timer);
				signal?.removeEventListener("abort", giveUp);
			};
			const refuse = () => {
				leave();
				// It is not the fault of a tenant that has nothing running.
				resolve({ refusal: caller.tenant.running > 0 ? TENANT_BUSY : OVERLOADED });
			};
			const work: Work = {
				caller,
				start: () => {
					leave();
					resolve(start(caller));
				},
				refuse,
			};
			const giveUp = () => {
				room.remove(work);
				refuse();
			};
			// Those who came together must not leave, and come again, together.
			const timer = setTimeout(giveUp, maxWaitMs * (1 - Math.random() / 2));
			signal?.addEventListener("abort", giveUp);
			if (!room.add(work)) refuse();
		});
	}
}

/** On Workers, a timer ends with its request: what a request releases would never be free again. */
function requireProcess(): void {
	const { navigator } = globalThis as { navigator?: { userAgent?: string } };
	if (navigator?.userAgent !== "Cloudflare-Workers") return;
	throw new Error(
		"fair-load-shedder needs a process that serves many requests, such as Node, Bun or Deno. It does not work on Cloudflare Workers, which limit requests themselves",
	);
}
