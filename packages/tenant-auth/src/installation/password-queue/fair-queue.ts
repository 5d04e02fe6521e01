import type { PasswordQueueLimits } from "../../options";
import { pendingQueue, type Waiter } from "./pending";

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

/** Runs work when it is its tenant's turn, or throws {@link QueueFullError}. */
type FairQueue = <T>(work: Work<T>) => Promise<T>;

/**
 * Runs the work of many tenants, a few pieces at once, in fair turns. However much one tenant sends,
 * another tenant that sends one piece waits for no more than one that is running.
 */
export function fairQueue(limits: PasswordQueueLimits): FairQueue {
	const pending = pendingQueue(limits);
	const inFlight = new Map<string, number>();
	let total = 0;

	return async (work) => {
		const { tenantId } = work;
		if (total < limits.concurrency) begin(tenantId);
		else await waitForTurn(work);
		try {
			return await work.run();
		} finally {
			// The finished piece still counts for its tenant: another tenant goes first.
			const next = pending.dequeue((id) => inFlight.get(id) ?? 0);
			end(tenantId);
			if (next) {
				// Counted now: a caller that comes before it wakes up must find no free place.
				begin(next.tenantId);
				next.start();
			}
		}
	};

	function begin(tenantId: string): void {
		total += 1;
		inFlight.set(tenantId, (inFlight.get(tenantId) ?? 0) + 1);
	}

	function end(tenantId: string): void {
		total -= 1;
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
				pending.remove(waiter);
				refuse();
			}
			if (signal?.aborted || !pending.add(waiter)) return refuse();
			signal?.addEventListener("abort", abort);
		});
	}
}
