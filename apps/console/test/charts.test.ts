import { expect, test } from "vitest";
import { roundUp } from "../src/operator/overview/charts";

test("the scale of a chart ends at a number that is easy to read", () => {
	const ends = [1, 2, 3, 5, 7, 9, 11, 1840, 4001].map(roundUp);
	expect(ends).toEqual([1, 2, 4, 6, 8, 10, 20, 2000, 6000]);
});
