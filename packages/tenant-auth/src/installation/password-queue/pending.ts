import type { PasswordQueueLimits } from "../../password-queue-options";

export interface Waiter {
	readonly tenantId: string;
	/** It cannot be refused any more. */
	readonly isFirm: boolean;
	/** It is its turn. */
	start(): void;
	/** It is to give up its place. */
	refuse(): void;
}

export interface WaitingRoom {
	/** Takes a place, if there is one. */
	enter(waiter: Waiter): boolean;
	/** Gives it up before it was called. */
	leave(waiter: Waiter): void;
	/**
	 * Calls the next: of the tenant that has least under way, and among equals of the one whose last
	 * turn is longest ago.
	 */
	callNext(underWay: (tenantId: string) => number): Waiter | null;
}

type Limits = Pick<PasswordQueueLimits, "maxWaitingPerTenant" | "maxWaiting">;

export function waitingRoom({ maxWaitingPerTenant, maxWaiting }: Limits): WaitingRoom {
	/** In the order of their turns. A tenant of which nobody waits has no entry. */
	const byTenant = new Map<string, Waiter[]>();
	let count = 0;

	return { enter, leave, callNext };

	function enter(waiter: Waiter): boolean {
		const own = byTenant.get(waiter.tenantId) ?? [];
		if (!waiter.isFirm && !hasRoom(own)) return false;
		own.push(waiter);
		byTenant.set(waiter.tenantId, own);
		count += 1;
		return true;
	}

	/** Where all places are taken, the tenant that has most of them loses its newest to who has fewer. */
	function hasRoom(own: Waiter[]): boolean {
		if (own.length >= maxWaitingPerTenant) return false;
		if (count < maxWaiting) return true;
		let most: Waiter[] = [];
		for (const waiters of byTenant.values()) {
			if (waiters.length > most.length) most = waiters;
		}
		const newest = most.filter(({ isFirm }) => !isFirm).at(-1);
		if (!newest || most.length <= own.length + 1) return false;
		leave(newest);
		newest.refuse();
		return true;
	}

	function leave(waiter: Waiter): void {
		const own = byTenant.get(waiter.tenantId);
		const place = own?.indexOf(waiter) ?? -1;
		if (!own || place < 0) return;
		own.splice(place, 1);
		count -= 1;
		if (own.length === 0) byTenant.delete(waiter.tenantId);
	}

	function callNext(underWay: (tenantId: string) => number): Waiter | null {
		let next: Waiter[] | null = null;
		let least = Number.POSITIVE_INFINITY;
		for (const [tenantId, waiters] of byTenant) {
			if (underWay(tenantId) < least) {
				next = waiters;
				least = underWay(tenantId);
			}
			if (least === 0) break;
		}
		const waiter = next?.[0];
		if (!next || !waiter) return null;
		leave(waiter);
		// The tenant's next turn comes after everybody else's.
		if (byTenant.delete(waiter.tenantId)) byTenant.set(waiter.tenantId, next);
		return waiter;
	}
}
