import { describe, expect, it } from "vitest";
import { readArguments } from "../../src/command/import/arguments";
import { escapeControls, UsageError } from "../../src/command/shared/terminal";

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
		["users.csv", "users.csv"],
		["./data/../users.csv", "users.csv"],
		["users.csv", "other.csv", "--passwords", "users.csv"],
	])("is not written over a file that is read: %s", (report, ...files) => {
		const args = ["--tenant", "acme", "--report", report, ...files];
		expect(() => readArguments(args)).toThrow(UsageError);
	});

	it("is written to any other file", () => {
		const args = ["--tenant", "acme", "--report", "report.ndjson", "users.csv"];
		expect(readArguments(args).report).toBe("report.ndjson");
	});
});
