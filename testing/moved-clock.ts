import { onTestFinished, vi } from "vitest";

/** A clock of `performance.now()` that a test moves on, until the end of the test. Timers keep their time. */
export function movedClock() {
	let aheadMs = 0;
	const now = performance.now.bind(performance);
	const spy = vi.spyOn(performance, "now").mockImplementation(() => now() + aheadMs);
	onTestFinished(() => spy.mockRestore());
	return {
		moveOn: (milliseconds: number) => {
			aheadMs += milliseconds;
		},
	};
}

/** What runs in `work` has a clock that is ahead. Timers keep their time. */
export async function withClockAhead<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
	vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });
	try {
		return await work();
	} finally {
		vi.useRealTimers();
	}
}
