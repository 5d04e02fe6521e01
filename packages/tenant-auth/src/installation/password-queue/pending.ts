import type { PasswordQueueLimits } from "../../options";

export interface Waiter {
	readonly tenantId: string;
	/** It must not be rejected. */
	readonly cannotReject: boolean;
	/** Its turn has come. */
	start(): void;
	/** It loses its place. */
	reject(): void;
}

export interface PendingQueue {
	/** Takes a place, if there is one. */
	add(waiter: Waiter): boolean;
	/** Gives a place up before its turn. */
	remove(waiter: Waiter): void;
	/**
	 * Takes the next out: of the tenant that has the fewest in flight, and among equals of the one
	 * whose last turn is the longest ago.
	 */
	dequeue(inFlight: (tenantId: string) => number): Waiter | null;
}

type Limits = Pick<PasswordQueueLimits, "maxWaitingPerTenant" | "maxWaiting">;

export function pendingQueue({ maxWaitingPerTenant, maxWaiting }: Limits): PendingQueue {
	/** In the order of their turns. A tenant without waiters has no entry. */
	const byTenant = new Map<string, Waiter[]>();
	let count = 0;

	return { add, remove, dequeue };

	function add(waiter: Waiter): boolean {
		const own = byTenant.get(waiter.tenantId) ?? [];
		if (!waiter.cannotReject && !hasRoom(own)) return false;
		own.push(waiter);
		byTenant.set(waiter.tenantId, own);
		count += 1;
		return true;
	}

	/** If all places are taken, the tenant that has most loses its newest to one that has fewer. */
	function hasRoom(own: Waiter[]): boolean {
		if (own.length >= maxWaitingPerTenant) return false;
		if (count < maxWaiting) return true;
		let most: Waiter[] = [];
		for (const waiters of byTenant.values()) {
			if (waiters.length > most.length) most = waiters;
		}
		const newest = most.filter(({ cannotReject }) => !cannotReject).at(-1);
		if (!newest || most.length <= own.length + 1) return false;
		remove(newest);
		newest.reject();
		return true;
	}

	function remove(waiter: Waiter): void {
		const own = byTenant.get(waiter.tenantId);
		const place = own?.indexOf(waiter) ?? -1;
		if (!own || place < 0) return;
		own.splice(place, 1);
		count -= 1;
		if (own.length === 0) byTenant.delete(waiter.tenantId);
	}

	function dequeue(inFlight: (tenantId: string) => number): Waiter | null {
		let next: Waiter[] | null = null;
		let least = Number.POSITIVE_INFINITY;
		for (const [tenantId, waiters] of byTenant) {
			if (inFlight(tenantId) < least) {
				next = waiters;
				least = inFlight(tenantId);
			}
			if (least === 0) break;
		}
		const waiter = next?.[0];
		if (!next || !waiter) return null;
		remove(waiter);
		// The tenant's next turn comes after those of all others.
		if (byTenant.delete(waiter.tenantId)) byTenant.set(waiter.tenantId, next);
		return waiter;
	}
}
