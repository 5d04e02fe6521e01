import { describe, expect, test } from "vitest";
import type { Page } from "../src/api/client";
import { exportList, toCsvCell } from "../src/operator/lists/export-list";

type Row = { id: number; name: string };

const pages: Record<string, Page<Row>> = {
	first: {
		items: [{ id: 1, name: 'Ada "the first", Countess' }],
		total: 2,
		nextCursor: "second",
		searchLimited: false,
	},
	second: { items: [{ id: 2, name: "=cmd()" }], total: 2, nextCursor: null, searchLimited: false },
};

const exportAs = async (format: "csv" | "ndjson") => {
	const counts: number[] = [];
	const content = await exportList<Row>({
		format,
		columns: { id: ({ id }) => id, name: ({ name }) => name },
		readPage: async (cursor = "first") => pages[cursor] as (typeof pages)[string],
		onProgress: (count) => counts.push(count),
	});
	expect(counts).toEqual([1, 2]);
	return content.text();
};

describe("an exported list", () => {
	test("has all pages, as CSV", async () => {
		expect(await exportAs("csv")).toBe(
			'id,name\r\n1,"Ada ""the first"", Countess"\r\n2,\'=cmd()\r\n',
		);
	});

	test("has all pages, as NDJSON", async () => {
		const lines = (await exportAs("ndjson")).trimEnd().split("\n");
		expect(lines.map((line) => JSON.parse(line).id)).toEqual([1, 2]);
	});

	test("has no formulas for spreadsheets", () => {
		for (const text of ["=1", "+1", "-1", "@a", "\t=1"]) expect(toCsvCell(text)).toBe(`'${text}`);
		// Where the separator of lists is a semicolon, this is a cell of its own.
		expect(toCsvCell("Mozilla;=1;b")).toBe("Mozilla;'=1;b");
		expect(toCsvCell("a\n =1")).toBe('"a\n\' =1"');
		expect(toCsvCell(null)).toBe("");
		expect(toCsvCell("a\nb")).toBe('"a\nb"');
	});
});
