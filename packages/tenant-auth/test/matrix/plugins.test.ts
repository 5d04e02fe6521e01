import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeAllPlugins } from "./plugins/all-plugins";
import { describeMatrix } from "./plugins/describe-matrix";

const described = describeAllPlugins(describeMatrix);

describe("the cross-tenant matrix of plugins", () => {
	it("has every plugin that docs/compatibility.md says works, and no other", () => {
		const file = new URL("../../../../docs/compatibility.md", import.meta.url);
		const [, section = ""] = readFileSync(file, "utf8").split("\n## Other plugins\n");
		const [, table = ""] = section.split("| --- | --- | --- | --- | --- |\n");
		const rows = (table.split("\n\n")[0] ?? "").trim().split("\n");
		const works = rows
			.filter((row) => !row.includes("refused at start"))
			.map((row) => String(row.split("|")[1]).trim())
			.filter((plugin) => plugin !== "additional fields");
		expect(works.sort()).toEqual(described.sort());
	});
});
