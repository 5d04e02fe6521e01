import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";

const textOf = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

it("docs/linked-users.md has the attacks that are tested, in the same words", () => {
	const [, table = ""] = textOf("../../../../docs/linked-users.md").split("## Attacks");
	const documented = [...table.matchAll(/^\| (An? .*|Some.*|Two .*|The .*) \| .* \|$/gm)].map(
		([, attack]) => attack,
	);
	const suites = ["./attacks.test.ts", "./races.test.ts"].map(textOf).join("\n");
	const tested = [...suites.matchAll(/^\tit\("([A-Z].*)", async/gm)].map(([, title]) => title);
	expect([...notEmpty(tested)].sort()).toEqual(documented.sort());
});
