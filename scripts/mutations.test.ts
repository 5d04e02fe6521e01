import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { onlyInTestAll } from "../testing/services";
import { MUTATIONS } from "./mutations/index.mjs";

const pathOf = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url));
const countIn = (source: string, text: string) => source.split(text).length - 1;

/** The names in the braces of the pattern: suites that `npm test` leaves out. */
const leftOut = /\{(.*)\}/.exec(onlyInTestAll)?.[1]?.split(",") ?? [];

/** `npm run test:mutations` runs the tests. Here the list must fit the sources. */
describe("the list of mutations", () => {
	it("has many, and each name once", () => {
		expect(MUTATIONS.length).toBeGreaterThan(100);
		expect(new Set(MUTATIONS.map(({ name }) => name)).size).toBe(MUTATIONS.length);
	});

	it.each(MUTATIONS)(
		"$name: changes a text that its source has once",
		({ file, find, replace }) => {
			expect(countIn(readFileSync(pathOf(file), "utf8"), find)).toBe(1);
			expect(replace).not.toBe(find);
		},
	);

	it("names suites of npm test only", () => {
		expect(leftOut).toContain("all");
		const files = new Set(MUTATIONS.map(({ caughtBy }) => caughtBy));
		const wrong = [...files].filter(
			(file) =>
				!/^(packages|apps)\/[^/]+\/test\/.+\.test\.ts$/.test(file) ||
				!existsSync(pathOf(file)) ||
				leftOut.some((name) => file.endsWith(`.${name}.test.ts`)),
		);
		expect(wrong).toEqual([]);
	});
});
