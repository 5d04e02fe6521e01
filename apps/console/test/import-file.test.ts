import { describe, expect, test } from "vitest";
import { inFile, parseImportCsv, parseImportFile } from "../src/operator/users/import-file";

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

describe("a CSV file of users to import", () => {
	test("has the columns of the command line, and keeps the numbers of the lines", () => {
		const text = [
			"\uFEFFexternalId, email,name,emailVerified,role,account.google,passwordKind,passwordHash",
			'1,ada@example.com,"Ada ""the first"",\nCountess",TRUE,admin,g-1,bcrypt,$2a$10$x',
			"",
			"2,bob@example.com,,,,,,",
			"3,eve@example.com",
			",nobody@example.com,,,,,,",
			"4,joan@example.com,,,,,,$2a$10$x",
		].join("\r\n");
		const { batches, failed, count } = parseImportCsv(text);
		expect(count).toBe(5);
		expect(batches).toEqual([
			[
				{
					line: 2,
					user: {
						...{ externalId: "1", email: "ada@example.com", emailVerified: true, role: "admin" },
						name: 'Ada "the first",\nCountess',
						accounts: [{ providerId: "google", accountId: "g-1" }],
						password: { kind: "bcrypt", hash: "$2a$10$x" },
					},
				},
				{ line: 5, user: { externalId: "2", email: "bob@example.com" } },
			],
		]);
		expect(failed).toMatchObject([
			{ line: 6, code: "INVALID_CSV", message: "The line has 2 cells, but the first line has 8." },
			{ line: 7, code: "NO_ID" },
			// Otherwise it would be imported without a password.
			{ line: 8, externalId: "4", code: "INVALID_CSV" },
		]);
	});

	test("may have semicolons, as spreadsheets in some languages write them", () => {
		const { batches } = parseImportCsv("externalId;email;name\n1;ada@example.com;King, Ada\n");
		expect(batches).toEqual([
			[{ line: 2, user: { externalId: "1", email: "ada@example.com", name: "King, Ada" } }],
		]);
	});

	test.each([
		["id,email", "The first line has no column externalId."],
		["externalId,name", "The first line has no column email."],
		["externalId,email,email", "The first line has two columns email."],
		["externalId,email,title", "The first line has an unknown column: title."],
		['externalId,email\n1,"ada@example.com', "Line 2 has a quote that is not closed."],
		['externalId,email\n"1"x,a', "Line 2 has a text after a closing quote."],
	])("is refused if it is %j", (text, message) => {
		expect(() => parseImportCsv(text)).toThrow(message);
	});

	test("may be empty, and is sent in parts", () => {
		expect(parseImportCsv("\n \n")).toEqual({ batches: [], failed: [], count: 0 });
		const rows = Array.from({ length: 250 }, (_, index) => `${index},u${index}@example.com`);
		const { batches } = parseImportCsv(["externalId,email", ...rows].join("\n"));
		expect(batches.map((batch) => batch.length)).toEqual([100, 100, 50]);
	});
});
