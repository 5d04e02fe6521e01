import { onTestFinished, vi } from "vitest";

/** Stops the clock until the end of the test, so that no rate limit window ends during it. */
export function stopClock(): void {
	vi.useFakeTimers({ toFake: ["Date"] });
	onTestFinished(() => void vi.useRealTimers());
}
