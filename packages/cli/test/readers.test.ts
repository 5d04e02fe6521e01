import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCsv } from "../src/reading/csv";
import { readJsonLines, readJsonList } from "../src/reading/json";

/** The text in parts of this length, as files come. */
async function* inParts(text: string, length = 7) {
	for (let start = 0; start < text.length; start += length) yield text.slice(start, start + length);
}

type Reader = typeof readJsonList | typeof readCsv;

async function read(reader: Reader, text: string, length?: number) {
	const found: { line: number; value: unknown }[] = [];
	for await (const record of reader("file", inParts(text, length))) found.push(record);
	return found;
}

const valuesOf = async (reader: Reader, text: string, length?: number) =>
	(await read(reader, text, length)).map(({ value }) => value);

describe("readJsonList", () => {
	it("reads any array, in parts of any length, also in an object", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.jsonValue()),
				fc.integer({ min: 1, max: 40 }),
				fc.boolean(),
				async (list, length, isPretty) => {
					// JSON has no negative zero.
					const wanted = JSON.parse(JSON.stringify(list));
					const file = { realm: "users", other: [[1], { users: [2] }], users: list, data: [3] };
					const indent = isPretty ? 2 : 0;
					expect(await valuesOf(readJsonList, JSON.stringify(list, null, indent), length)).toEqual(
						wanted,
					);
					expect(await valuesOf(readJsonList, JSON.stringify(file, null, indent), length)).toEqual(
						wanted,
					);
				},
			),
			{ numRuns: 60 },
		);
	});

	it("tells on which line an element starts", async () => {
		expect(await read(readJsonList, '[\n  {\n "a": 1 },\n\n  {}\n]')).toEqual([
			{ line: 2, value: { a: 1 } },
			{ line: 5, value: {} },
		]);
	});

	it.each([
		['[{"a": 1}, {"b"', "file ends in the middle, at line 1"],
		['{"users": [{"a": "1', "file ends in the middle, at line 1"],
		["[{}, {a}]", "file line 1: this is not JSON"],
		["[{},,{}]", "file line 1: this is not JSON"],
		['{"people": []}', 'file has no list of users: neither an array nor "users" or "data"'],
		["", 'file has no list of users: neither an array nor "users" or "data"'],
		[`["${"x".repeat(1024 * 1024)}"]`, "file line 1: a record is longer than 1 MiB"],
	])("refuses a broken file (%#)", async (text, message) => {
		await expect(read(readJsonList, text, 65_536)).rejects.toThrow(message);
	});
});

describe("readJsonLines", () => {
	it("reads lines, also with Windows line breaks, empty lines, and no break at the end", async () => {
		expect(await read(readJsonLines, '{"a":1}\r\n\r\n{"a":"ü"}')).toEqual([
			{ line: 1, value: { a: 1 } },
			{ line: 3, value: { a: "ü" } },
		]);
	});

	it.each([
		['{"a":1}\n{"a":', "file line 2: this is not JSON"],
		[`{"a":1}\n"${"x".repeat(1024 * 1024)}`, "file line 2: a record is longer than 1 MiB"],
	])("refuses a broken file (%#)", async (text, message) => {
		await expect(read(readJsonLines, text, 65_536)).rejects.toThrow(message);
	});
});

describe("readCsv", () => {
	const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

	it("reads any cells, in parts of any length", async () => {
		const cell = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", "ü", " ", "\r") });
		const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 4 });
		await fc.assert(
			fc.asyncProperty(rows, fc.integer({ min: 1, max: 9 }), async (table, length) => {
				const text = table.map((row) => row.map(quote).join(",")).join("\r\n");
				expect(await valuesOf(readCsv, text, length)).toEqual(table);
			}),
			{ numRuns: 100 },
		);
	});

	it("tells on which line a row starts, and leaves out empty lines", async () => {
		expect(await read(readCsv, 'a,b\n"1\n2",\n\n3,4\n')).toEqual([
			{ line: 1, value: ["a", "b"] },
			{ line: 2, value: ["1\n2", ""] },
			{ line: 5, value: ["3", "4"] },
		]);
	});

	it.each([
		['a\n"b', "file line 2: a quote has no end"],
		['"a"b', "file line 1: a quoted cell goes on after its quote"],
		[",".repeat(1000), "file line 1: more than 1000 columns"],
		["x".repeat(1024 * 1024 + 1), "file line 1: a record is longer than 1 MiB"],
	])("refuses a broken file (%#)", async (text, message) => {
		await expect(read(readCsv, text, 65_536)).rejects.toThrow(message);
	});
});
