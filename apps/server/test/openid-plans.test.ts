import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { PLANS } from "./openid-plans";

/** The names of modules in the titles of the tests of a file. */
function modulesIn(file: string): string[] {
	const text = readFileSync(new URL(file, import.meta.url), "utf8");
	return notEmpty(text.match(/(?<=["\s])oidcc-[\w-]+(?=["\s,:])/g) ?? []);
}

describe.each(Object.entries(PLANS))("the plan %s", (_, modules) => {
	it.each(Object.entries(modules))("has a test or a reason for %s", (name, module) => {
		if (typeof module === "string") expect(modulesIn(module)).toContain(name);
		else expect(module.reason).toMatch(/\.$/);
	});
});

it("no test has the name of a module that no plan has", () => {
	const names = Object.values(PLANS).flatMap((modules) => Object.entries(modules));
	const files = new Set(names.flatMap(([, module]) => (typeof module === "string" ? module : [])));
	const tested = names.filter(([, module]) => typeof module === "string").map(([name]) => name);
	const found = new Set([...files].flatMap(modulesIn));
	expect([...found].sort()).toEqual([...new Set(tested)].sort());
});
