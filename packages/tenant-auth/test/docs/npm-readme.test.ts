import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { root, textOf } from "../../../../testing/pages";

describe("the README of the npm package", () => {
	const printed = execFileSync(process.execPath, ["scripts/npm-readme.mjs"], {
		cwd: root,
		encoding: "utf8",
	});
	const headingsOf = (text: string) => [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);

	it("has all sections of the README, except the one about the repository's server", () => {
		expect(headingsOf(printed)).toEqual(
			headingsOf(textOf("README.md")).filter((title) => title !== "Try it"),
		);
	});

	it("refers to no file that the package does not contain", () => {
		const targets = [...printed.matchAll(/\]\((?<link>[^)]+)\)|src="(?<image>[^"]+)"/g)].map(
			({ groups }) => groups?.link ?? groups?.image ?? "",
		);
		expect(targets.filter((target) => !/^(https:|#)/.test(target))).toEqual([]);
	});
});
