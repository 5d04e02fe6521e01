import { afterAll, expect } from "vitest";
import { FAILURES_IN_A_SECOND, type Outcome } from "./sign-in-load";

const outcomes = new Map<string, Outcome>();

/** Prints one table for all tests of a file, at its end. */
export function printOutcomes(): void {
	afterAll(() => {
		const rows = [...outcomes].map(([name, { statuses, ...numbers }]) => [
			name,
			{ ...numbers, statuses: JSON.stringify(statuses) },
		]);
		outcomes.clear();
		if (rows.length > 0) console.table(Object.fromEntries(rows));
	});
}

/** Nothing is lost, nothing is there twice, an outage is 503, and it ends when the stores are back. */
export function expectNothingLost(name: string, outcome: Outcome): void {
	outcomes.set(name, outcome);
	expect(outcome).toMatchObject({ lost: 0, duplicates: 0, halfMade: 0, withoutRetryAfter: 0 });
	expect(Object.keys(outcome.statuses).filter((status) => /^5(?!03)/.test(status))).toEqual([]);
	expect(outcome.failuresUntilBack).toBeLessThanOrEqual(FAILURES_IN_A_SECOND);
	expect(outcome.acknowledged).toBeGreaterThanOrEqual(60);
}
