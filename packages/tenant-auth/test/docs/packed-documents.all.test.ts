import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { packageDocuments, project } from "../../../../scripts/package-documents.mjs";
import { root } from "../../../../testing/pages";

it("npm packs the documents, and no image", () => {
	const args = ["pack", "--dry-run", "--json", "--workspace=better-auth-tenant"];
	const output = execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: "pipe" });
	const [packed] = JSON.parse(output.slice(output.indexOf("[\n")));
	const files: string[] = packed.files.map(({ path }: { path: string }) => path);
	expect(files.filter((path) => /\.md$/.test(path) && path !== "CHANGELOG.md").sort()).toEqual(
		[...packageDocuments(project).keys()].sort(),
	);
	expect(files.filter((path) => /\.(png|svg)$/.test(path))).toEqual([]);
	// The code has about a third of it. A package that is twice as heavy has got something by mistake.
	expect(packed.size).toBeLessThan(900_000);
});
