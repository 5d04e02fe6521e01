import { onTestFinished, vi } from "vitest";

/** Stops the clock until the end of the test: no window of a rate limit ends while it runs. */
export function stopClock(): void {
	vi.useFakeTimers({ toFake: ["Date"] });
	onTestFinished(() => void vi.useRealTimers());
}
