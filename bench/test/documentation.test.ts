import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fillSection } from "../src/document";
import { measurements } from "../src/measurements";

const page = readFileSync(new URL("../../docs/performance.md", import.meta.url), "utf8");
const table = { title: "What was measured", columns: ["operation", "µs"], rows: [["sign-in", 7]] };
const result = {
	date: "2026-11-16T00:00:00.000Z",
	commit: "abc1234",
	command: "npm run bench",
	machine: { cpu: "2 × CPU", memory: "24 GB", node: "v20" },
	seconds: 1,
	data: [],
};

describe("docs/performance.md", () => {
	it.each(measurements)("has a section that $name fills", ({ name }) => {
		const filled = fillSection(page, name, [table], {}, result);
		expect(filled).toContain("| sign-in | 7 |");
		expect(filled).toContain("Measured on 2026-11-16 at abc1234, 2 × CPU, 24 GB, Node v20");
		// Filling it again replaces the tables.
		expect(fillSection(filled, name, [table], {}, result)).toBe(filled);
	});

	it("shows a chart with its title", () => {
		const charts = { "speed.svg": '<svg aria-label="Calls per second"></svg>' };
		expect(fillSection(page, "speed", [], charts, result)).toContain(
			"![Calls per second](images/speed.svg)",
		);
	});

	it("has a section for nothing else", () => {
		const sections = [...page.matchAll(/<!-- ([a-z-]+) -->/g)].map(([, name]) => name);
		expect(sections.toSorted()).toEqual(measurements.map(({ name }) => name).toSorted());
	});
});
