import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { measurements } from "../src/measurements/all";
import { fillSection, findPage, pages } from "../src/report/document";

const table = { title: "What was measured", columns: ["operation", "µs"], rows: [["sign-in", 7]] };
const result = {
	date: "2026-11-16T00:00:00.000Z",
	commit: "abc1234",
	command: "npm run bench",
	machine: { cpu: "2 × CPU", memory: "24 GB", node: "v20" },
	seconds: 1,
	data: [],
};
const section = "# Performance\n\n<!-- speed -->\n\nold\n\n<!-- /speed -->\n\nThe end.\n";

describe("the documents with results", () => {
	it.each(measurements)("have a section that $name fills", ({ name }) => {
		expect(findPage(name)).toBeDefined();
	});

	it("have a section for nothing else", () => {
		const sections = pages
			.map((page) => readFileSync(page, "utf8"))
			.flatMap((text) => [...text.matchAll(/<!-- ([a-z-]+) -->/g)].map(([, name]) => name));
		expect(sections.toSorted()).toEqual(measurements.map(({ name }) => name).toSorted());
	});
});

describe("filling a section", () => {
	it("replaces what was there, and says where the figures come from", () => {
		const filled = fillSection(section, "speed", [table], {}, result);
		expect(filled).toMatch(/^# Performance\n[\s\S]*\nThe end\.\n$/);
		expect(filled).toContain(
			"What was measured:\n\n| operation | µs |\n| --- | --- |\n| sign-in | 7 |",
		);
		expect(filled).toContain("Measured on 2026-11-16 at abc1234, 2 × CPU, 24 GB, Node v20");
		expect(filled).not.toContain("old");
		expect(fillSection(filled, "speed", [table], {}, result)).toBe(filled);
	});

	it("shows a chart with its title", () => {
		const charts = { "speed.svg": '<svg aria-label="Calls per second"></svg>' };
		expect(fillSection(section, "speed", [], charts, result)).toContain(
			"![Calls per second](images/speed.svg)",
		);
	});
});
