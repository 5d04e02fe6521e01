import type { PasswordQueueLimits } from "../options";

/** The queue is full, or the caller is gone. */
export class QueueFullError extends Error {
	override name = "QueueFullError";
}

interface Work<T> {
	tenantId: string;
	/** It waits for its turn, but is never rejected. */
	cannotReject: boolean;
	/** Aborts when the caller is gone. */
	signal?: AbortSignal | undefined;
	run(): Promise<T>;
}

interface Waiter {
	readonly tenantId: string;
	readonly cannotReject: boolean;
	/** Its turn has come. */
	start(): void;
	/** It loses its place. */
	reject(): void;
}

/** Runs work when it is its tenant's turn, or throws {@link QueueFullError}. */
type FairQueue = <T>(work: Work<T>) => Promise<T>;

/**
 * Runs the work of many tenants, a few pieces at once, in fair turns. However much one tenant sends,
 * another tenant that sends one piece waits for no more than one that is running.
 */
export function fairQueue({
	concurrency,
	maxWaiting,
	maxWaitingPerTenant,
}: PasswordQueueLimits): FairQueue {
	const inFlight = new Map<string, number>();
	let running = 0;
	/** In the order of their turns. A tenant without waiters has no entry. */
	const waiting = new Map<string, Waiter[]>();
	let waiters = 0;

	return async (work) => {
		const { tenantId } = work;
		if (running < concurrency) begin(tenantId);
		else await waitForTurn(work);
		try {
			return await work.run();
		} finally {
			// The finished piece still counts for its tenant: another tenant goes first.
			const next = dequeue();
			end(tenantId);
			if (next) {
				// Counted now: a caller that comes before it wakes up must find no free place.
				begin(next.tenantId);
				next.start();
			}
		}
	};

	function begin(tenantId: string): void {
		running += 1;
		inFlight.set(tenantId, (inFlight.get(tenantId) ?? 0) + 1);
	}

	function end(tenantId: string): void {
		running -= 1;
		const left = (inFlight.get(tenantId) ?? 0) - 1;
		if (left > 0) inFlight.set(tenantId, left);
		else inFlight.delete(tenantId);
	}

	function waitForTurn({ tenantId, cannotReject, signal }: Work<unknown>): Promise<void> {
		return new Promise((resolve, reject) => {
			const settle = (done: () => void) => () => {
				signal?.removeEventListener("abort", abort);
				done();
			};
			const refuse = settle(() => reject(new QueueFullError()));
			const waiter: Waiter = { tenantId, cannotReject, start: settle(resolve), reject: refuse };
			function abort() {
				remove(waiter);
				refuse();
			}
			if (signal?.aborted || !enqueue(waiter)) return refuse();
			signal?.addEventListener("abort", abort);
		});
	}

	/** Takes a place, if there is one. */
	function enqueue(waiter: Waiter): boolean {
		const own = waiting.get(waiter.tenantId) ?? [];
		if (!waiter.cannotReject && !hasRoom(own)) return false;
		own.push(waiter);
		waiting.set(waiter.tenantId, own);
		waiters += 1;
		return true;
	}

	/** If all places are taken, the tenant that has most loses its newest to one that has fewer. */
	function hasRoom(own: Waiter[]): boolean {
		if (own.length >= maxWaitingPerTenant) return false;
		if (waiters < maxWaiting) return true;
		let most: Waiter[] = [];
		for (const others of waiting.values()) if (others.length > most.length) most = others;
		const newest = most.filter(({ cannotReject }) => !cannotReject).at(-1);
		if (!newest || most.length <= own.length + 1) return false;
		remove(newest);
		newest.reject();
		return true;
	}

	function remove(waiter: Waiter): void {
		const own = waiting.get(waiter.tenantId);
		const place = own?.indexOf(waiter) ?? -1;
		if (!own || place < 0) return;
		own.splice(place, 1);
		waiters -= 1;
		if (own.length === 0) waiting.delete(waiter.tenantId);
	}

	/**
	 * Takes the next out: of the tenant that has the fewest in flight, and among equals of the one whose
	 * last turn is the longest ago.
	 */
	function dequeue(): Waiter | null {
		let next: Waiter[] | null = null;
		let least = Number.POSITIVE_INFINITY;
		for (const [tenantId, own] of waiting) {
			const count = inFlight.get(tenantId) ?? 0;
			if (count < least) [next, least] = [own, count];
			if (least === 0) break;
		}
		const waiter = next?.[0];
		if (!next || !waiter) return null;
		remove(waiter);
		// The tenant's next turn comes after those of all others.
		if (waiting.delete(waiter.tenantId)) waiting.set(waiter.tenantId, next);
		return waiter;
	}
}
