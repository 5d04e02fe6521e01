import { describe, expect, it } from "vitest";
import { readFlags } from "../src/import/arguments";
import { escapeControls, UsageError } from "../src/terminal";

describe("the output of the command", () => {
	it("contains nothing that a terminal obeys, and stays JSON", () => {
		const name = "\u001b]0;owned\u0007\u001b[2K\r\u009b1A\u202eada\u007f";
		expect(escapeControls(`${name}\n\tdone`)).toBe(
			"\\u001b]0;owned\\u0007\\u001b[2K\\u000d\\u009b1A\\u202eada\\u007f\n\tdone",
		);
		const value = { name, text: "José 李 ✓" };
		expect(JSON.parse(escapeControls(JSON.stringify(value, null, 2)))).toEqual(value);
	});
});

describe("the report of an import", () => {
	it.each([
		["users.csv", { report: "users.csv" }],
		["users.csv", { report: "./data/../users.csv" }],
		["other.csv", { report: "users.csv", passwords: "users.csv" }],
	])("is not written over a file that is read: %s, %j", (file, options) => {
		expect(() => readFlags([file], { tenant: "acme", ...options })).toThrow(UsageError);
	});

	it("is written to any other file", () => {
		const options = { tenant: "acme", report: "report.ndjson" };
		expect(readFlags(["users.csv"], options).report).toBe("report.ndjson");
	});
});
