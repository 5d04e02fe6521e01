import type { PasswordQueueLimits } from "../../password-queue-options";
import { type Waiter, waitingRoom } from "./pending";

/** There is no place left, it had to be given up, or nobody waits for the answer any more. */
export class QueueFull extends Error {}

interface Work<T> {
	tenantId: string;
	/** It takes its turn, but is never refused. */
	isFirm: boolean;
	/** Tells that nobody waits for it any more. */
	signal?: AbortSignal | undefined;
	run(): Promise<T>;
}

/** Does a piece of work when it is its tenant's turn, or throws {@link QueueFull}. */
type FairQueue = <T>(work: Work<T>) => Promise<T>;

/**
 * Does the work of many tenants, a few pieces at once and in fair turns: whatever one tenant sends,
 * another that sends one piece waits for no more than one that is under way.
 */
export function fairQueue(limits: PasswordQueueLimits): FairQueue {
	const room = waitingRoom(limits);
	const underWay = new Map<string, number>();
	let total = 0;

	return async (work) => {
		const { tenantId } = work;
		if (total < limits.concurrency) begin(tenantId);
		else await waitForTurn(work);
		try {
			return await work.run();
		} finally {
			// What ends here still counts for its tenant: it is another one's turn first.
			const next = room.callNext((id) => underWay.get(id) ?? 0);
			end(tenantId);
			if (next) {
				// Begun on its behalf, for who comes before it wakes must find no free place.
				begin(next.tenantId);
				next.start();
			}
		}
	};

	function begin(tenantId: string): void {
		total += 1;
		underWay.set(tenantId, (underWay.get(tenantId) ?? 0) + 1);
	}

	function end(tenantId: string): void {
		total -= 1;
		const left = (underWay.get(tenantId) ?? 0) - 1;
		if (left > 0) underWay.set(tenantId, left);
		else underWay.delete(tenantId);
	}

	function waitForTurn({ tenantId, isFirm, signal }: Work<unknown>): Promise<void> {
		return new Promise((resolve, reject) => {
			const settle = (done: () => void) => () => {
				signal?.removeEventListener("abort", abort);
				done();
			};
			const refuse = settle(() => reject(new QueueFull()));
			const waiter: Waiter = { tenantId, isFirm, start: settle(resolve), refuse };
			function abort() {
				room.leave(waiter);
				refuse();
			}
			if (signal?.aborted || !room.enter(waiter)) return refuse();
			signal?.addEventListener("abort", abort);
		});
	}
}
