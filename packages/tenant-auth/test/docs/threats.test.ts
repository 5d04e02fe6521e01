import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root, textOf } from "../../../../testing/pages";

const page = textOf("docs/threats.md");
const named = [...page.matchAll(/\[([^\]]+)\]\(\.\.\/(packages\/[^)]+)\)/g)].map(
	([, name = "", file = ""]) => ({ name, file }),
);

it("docs/threats.md names tests that are in their files", () => {
	const missing = named.filter(
		({ name, file }) => !readFileSync(join(root, file), "utf8").includes(`"${name}"`),
	);
	expect(missing).toEqual([]);
});

it("docs/threats.md names a test for every threat", () => {
	const threats = page.split("\n").filter((line) => /^\| [A-Z"`]/.test(line));
	expect(threats.length).toBeGreaterThan(45);
	expect(threats.filter((line) => !line.includes("](../packages/"))).toEqual([]);
});
