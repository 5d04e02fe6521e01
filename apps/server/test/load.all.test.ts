import { expect, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { load } from "../load/load";
import { problemsOf } from "../load/report";
import { builtProgram } from "./built-program";

test("three seconds of load on many tenants: no error, and no response from another tenant", async () => {
	builtProgram("main");
	const report = await load({ seconds: 3, tenants: 20, concurrency: 4 }, () => {});
	expect([...report.errors]).toEqual([]);
	expect(report.leaks).toBe(0);
	expect(problemsOf(report)).toEqual([]);
	for (const durations of notEmpty(report.durations.values()))
		expect(durations.length).toBeGreaterThan(0);
	expect(report.memory.length).toBeGreaterThan(0);
});
