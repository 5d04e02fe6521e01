import { afterEach, beforeEach, vi } from "vitest";

/** Keeps `console.error` silent in these tests: Better Auth prints every failure it does not know. */
export function silenceErrors(): void {
	beforeEach(() => {
		vi.spyOn(console, "error").mockImplementation(() => {});
	});
	afterEach(() => {
		vi.restoreAllMocks();
	});
}
