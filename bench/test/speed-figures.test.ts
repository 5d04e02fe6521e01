import { describe, expect, it } from "vitest";
import { allocatedPerCall } from "../src/instruments/allocations";
import { orderOf } from "../src/instruments/rounds";
import { speedFigure, verdict } from "../src/measurements/speed/speed-figure";

const figureOf = (plain: number[], ours: number[], goal = 2) =>
	speedFigure({ database: "sqlite", operation: "get-session", goal }, [
		{ name: "plain", rounds: { time: plain, cpu: plain } },
		{ name: "ours", rounds: { time: ours, cpu: ours } },
	]);

describe("a figure of the speed table", () => {
	it("says how many times as fast as plain Better Auth ours is", () => {
		const { times } = figureOf([300, 300, 900], [100, 100, 300]);
		expect(times).toMatchObject({ cpu: 3, time: { median: 3 } });
	});

	it("says by how much a goal is missed", () => {
		expect(verdict(figureOf([300], [100]))).toBe("2 met");
		expect(verdict(figureOf([150], [100]))).toBe("2 MISSED by 0.50");
	});

	it("meets a goal only if the time meets it as well as the CPU time", () => {
		const { times } = figureOf([300], [100]);
		const slow = { ...times, time: { median: 1.9, q1: 1.9, q3: 1.9 } };
		expect(verdict({ goal: 2, times: slow })).toBe("2 MISSED by 0.10");
	});
});

describe("rounds", () => {
	it("let each contestant be the first equally often", () => {
		const first = [0, 1, 2, 3, 4, 5].map((round) => orderOf(round, 3)[0]);
		expect(first.toSorted()).toEqual([0, 0, 1, 1, 2, 2]);
	});
});

describe("allocations", () => {
	it("count what was freed again meanwhile", async () => {
		const numbers = 10_000;
		const call = async () => {
			// Large enough that the garbage collector runs several times.
			if (Array.from({ length: numbers }, (_, n) => ({ n })).length === 0) throw new Error();
		};
		const bytes = await allocatedPerCall(Array.from({ length: 200 }, () => call));
		expect(bytes).toBeGreaterThan(numbers * 16);
		expect(bytes).toBeLessThan(numbers * 160);
	});
});
