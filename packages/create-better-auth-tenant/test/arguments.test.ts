import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../../apps/server/test/temporary-directory";
import { readArguments, UsageError } from "../src/arguments";
import { databaseName } from "../src/databases";
import { appName, findProblem } from "../src/directory";
import { resolveChoices } from "../src/questions";

describe("the arguments", () => {
	test("may name all choices", () => {
		expect(
			readArguments(["shop", "--framework", "express", "--database=mysql", "--no-install"]),
		).toEqual({
			directory: "shop",
			framework: "express",
			database: "mysql",
			yes: false,
			install: false,
			help: false,
		});
	});

	test.each([
		[["--framework", "rails"], /^"rails" is not a framework\. Use one of: express/],
		[
			["--database", "oracle"],
			/^"oracle" is not a database\. Use one of: sqlite, postgres, mysql, drizzle-postgres\.$/,
		],
		[["--database", "toString"], /is not a database/],
		[["--database"], /--database/],
		[["--force"], /--force/],
		[["one", "two"], /^Give one directory, not 2\.$/],
	])("%j are rejected with a reason", (args, message) => {
		const read = () => readArguments(args);
		expect(read).toThrow(UsageError);
		expect(read).toThrow(message);
	});
});

describe("without a terminal", () => {
	test("--yes uses defaults for what is not given", async () => {
		const directory = join(temporaryDirectory(), "shop");
		const given = readArguments([directory, "--database", "postgres", "--yes"]);
		expect(await resolveChoices(given, undefined)).toEqual({
			directory,
			framework: "express",
			database: "postgres",
		});
	});

	test("a missing choice is an error", async () => {
		const given = readArguments([join(temporaryDirectory(), "shop"), "--database", "mysql"]);
		await expect(resolveChoices(given, undefined)).rejects.toThrow(
			/^There is no terminal to ask\. .*--yes\.$/,
		);
	});
});

describe("the directory", () => {
	test("is new or empty", () => {
		const directory = temporaryDirectory();
		expect(findProblem(join(directory, "new/app"))).toBeUndefined();
		expect(findProblem(directory)).toBeUndefined();
		mkdirSync(join(directory, ".git"));
		expect(findProblem(directory)).toBeUndefined();
		writeFileSync(join(directory, "a.txt"), "");
		expect(findProblem(directory)).toBe(`The directory ${directory} is not empty.`);
		expect(findProblem(join(directory, "a.txt"))).toMatch(/a\.txt is a file\.$/);
		expect(findProblem(" ")).toBe("Give the directory a name.");
	});

	test.each([
		["shop", "shop", "shop"],
		["apps/My Shop!", "my-shop", "my_shop"],
		["_2026", "2026", "app_2026"],
		["愛", "my-app", "my_app"],
	])("%s names the app %s and its database %s", (directory, name, database) => {
		expect(appName(directory)).toBe(name);
		expect(databaseName(name)).toBe(database);
	});
});
