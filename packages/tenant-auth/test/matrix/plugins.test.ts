import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { textOf } from "../../../../testing/pages";
import { coreRows, ways } from "./core";
import { ownRows } from "./own-rows";
import { describeAllPlugins } from "./plugins/all-plugins";
import { casesOf, describeMatrix } from "./plugins/describe-matrix";

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

	it("is, with the others, as large as the first page of the documents says", () => {
		const sizes = { endpoints: 0, calls: 0 };
		describeAllPlugins((matrix) => {
			sizes.endpoints += Object.keys(matrix.rows).length;
			sizes.calls += casesOf(matrix).length;
			return matrix.plugin;
		});
		const ofCore = Object.values(coreRows)
			.flat()
			.flatMap((attempt) => attempt.ways ?? Object.keys(ways)).length;
		const calls = sizes.calls + ofCore + Object.values(ownRows).flat().length;
		const page = textOf("docs/index.md");
		expect(page).toContain(
			`${Object.keys(ownRows).length} endpoints of this plugin, ${Object.keys(coreRows).length} of Better Auth and ${sizes.endpoints} of its plugins`,
		);
		expect(page).toContain(`${calls.toLocaleString("en-US")} attacks`);
	});
});
