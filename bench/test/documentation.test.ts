import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
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

describe("the figures that users read", () => {
	interface Row {
		database: string;
		operation: string;
		times?: { cpu: number };
	}
	const documents = dirname(pages[0] ?? "");
	const results = JSON.parse(readFileSync(join(documents, "../bench/results.json"), "utf8"));
	const rows: Row[] = results.speed.data;

	/** How many times as fast an operation is as in plain Better Auth. */
	const timesOf = (database: string, operation: string) =>
		rows.find((row) => row.database === database && row.operation === operation)?.times?.cpu;

	it("are those of the last run in docs/performance.md", () => {
		const [, table = ""] = readFileSync(join(documents, "performance.md"), "utf8").split(
			"| operation | SQLite | PostgreSQL |\n| --- | --- | --- |\n",
		);
		const lines = table.split("\n\n", 1)[0]?.split("\n") ?? [];
		const measured = lines.map((line) => {
			const [, operation = ""] = line.split("|").map((cell) => cell.trim());
			const times = ["sqlite", "postgres"].map((database) => timesOf(database, operation));
			return `| ${[operation, ...times.map((time) => time?.toFixed(1))].join(" | ")} |`;
		});
		expect(lines).toHaveLength(5);
		expect(lines).toEqual(measured);
	});

	it("are those of the last run on the first page of the documents", () => {
		const page = readFileSync(join(documents, "index.md"), "utf8");
		const [sqlite, postgres] = ["sqlite", "postgres"].map((database) =>
			timesOf(database, "get-session")?.toFixed(1),
		);
		expect(page).toContain(`get-session ${sqlite} times as fast`);
		expect(page).toContain(`on SQLite, and ${postgres} times on PostgreSQL`);
	});
});
