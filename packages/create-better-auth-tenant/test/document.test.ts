import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { USAGE } from "../src/arguments";

const page = readFileSync(new URL("../../../docs/starter.md", import.meta.url), "utf8");

test("docs/starter.md has the options that --help prints", () => {
	const printed = [...USAGE.matchAll(/^ {2}(--\S+(?: <\S+>)?) +(.+)$/gm)];
	const documented = [...page.matchAll(/^\| `(--[^`]+)` \| (.+) \|$/gm)];
	expect(printed).toHaveLength(5);
	expect(documented.map(([, ...cells]) => cells)).toEqual(printed.map(([, ...cells]) => cells));
});
