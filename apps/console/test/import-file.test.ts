import { describe, expect, test } from "vitest";
import { inFile, parseImportFile } from "../src/operator/users/import-file";

describe("a file of users to import", () => {
	test("has one user per line, and keeps the numbers of the lines", () => {
		const text = '\uFEFF{"externalId":"1"}\r\n\r\nnot json\n{"externalId":"2"}\n';
		const { batches, failed, count } = parseImportFile(text);
		expect(count).toBe(3);
		expect(batches).toEqual([
			[
				{ line: 1, user: { externalId: "1" } },
				{ line: 4, user: { externalId: "2" } },
			],
		]);
		expect(failed).toMatchObject([{ line: 3, status: "failed", code: "INVALID_JSON" }]);
		const results = [{ line: 2, externalId: "2", status: "created" as const }];
		expect(inFile(batches[0] ?? [], results)).toMatchObject([{ line: 4, externalId: "2" }]);
	});

	test("is sent in parts of at most 100 lines and 200,000 characters", () => {
		const lines = (count: number, length: number) =>
			Array.from({ length: count }, () => JSON.stringify({ name: "x".repeat(length) })).join("\n");
		const sizes = (text: string) => parseImportFile(text).batches.map((batch) => batch.length);
		expect(sizes(lines(250, 10))).toEqual([100, 100, 50]);
		expect(sizes(lines(5, 90_000))).toEqual([2, 2, 1]);
		expect(parseImportFile("\n \n")).toEqual({ batches: [], failed: [], count: 0 });
	});
});
