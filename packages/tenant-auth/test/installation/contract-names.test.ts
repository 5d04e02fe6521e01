import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

it.each(["contract.test.ts", "plugin-contract.test.ts"])("%s names files that exist", (test) => {
	const titles = [...read(test).matchAll(/^describe\("(.+) assumes? that /gm)];
	const named = titles.flatMap(([, files = ""]) => files.split(" and "));
	for (const file of notEmpty(named)) {
		expect([file, existsSync(new URL(`../../src/${file}`, import.meta.url))]).toEqual([file, true]);
	}
});
