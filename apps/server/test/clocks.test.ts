import { expect, test, vi } from "vitest";
import { withClockAhead } from "../../../testing/moved-clock";
import { checkClock } from "../src/cli/doctor/stores";
import { clockOffset } from "../src/database/clocks";

/** The real one, also while a test has another. */
const { now } = Date;

test("the doctor reports a store whose clock differs by more than a second", async () => {
	const remedy = "Let NTP set the clocks of all machines.";
	expect(await checkClock(undefined, "the database")).toEqual([]);
	expect(await checkClock(async () => now(), "Redis")).toEqual([]);
	const ahead = await withClockAhead(-60_000, () => checkClock(async () => now(), "Redis"));
	expect(ahead).toEqual([
		{ problem: expect.stringMatching(/^The clock of Redis is [\d.]+ seconds ahead of/), remedy },
	]);
	const behind = await withClockAhead(3_600_000, () => checkClock(async () => now(), "Redis"));
	expect(behind).toEqual([{ problem: expect.stringMatching(/[\d.]+ seconds behind/), remedy }]);
});

test("the time until a store responds is no difference of clocks", async () => {
	const offset = await withClockAhead(0, () =>
		clockOffset(async () => {
			const theirs = Date.now() + 2000;
			vi.setSystemTime(Date.now() + 5000);
			return theirs;
		}),
	);
	expect(offset).toBe(0);
});
