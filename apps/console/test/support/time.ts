import { act } from "react";
import { vi } from "vitest";

/** Pages show dates, and each run must show the same ones. */
const NOW = new Date("2026-11-17T12:00:00Z");

/** The clock of the page stands still, and tests move it: no test waits for a pause or a retry. */
export function stopClock(): void {
	vi.useFakeTimers({
		now: NOW,
		toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"],
	});
}

export function startClock(): void {
	vi.useRealTimers();
}

/** Moves the clock of the page, and lets everything happen that is due. */
export const pass = (milliseconds: number): Promise<void> =>
	act(async () => {
		await vi.advanceTimersByTimeAsync(milliseconds);
	});

/** A page that has nothing new after this time does not change any more. Retries take three seconds. */
const STEPS = [0, 1, 1, 1, 1, 1, 5, 10, 50, 100, 300, 600, 1000, 1000, 2000];

/** Waits until `look` finds something, and returns it. It returns `null` if that does not happen. */
export async function until<Found>(look: () => Found | null | undefined | false) {
	for (const step of STEPS) {
		const found = look();
		if (found) return found;
		await pass(step);
	}
	return look() || null;
}
