// Writes `homepage`, `repository` and `bugs` into the manifest of a package, from the file `project.json` at the
// root. `prepack` of each package runs it. Without addresses there, the manifest stays as it is.
//
//   node ../../scripts/package-addresses.mjs    changes package.json in the current folder

import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * @param {Record<string, unknown>} manifest
 * @param {string} directory of the package, below the root
 * @param {{ homepage: string, repository: string }} project
 */
export const withAddresses = (manifest, directory, { homepage, repository }) => ({
	...manifest,
	...(homepage && { homepage }),
	...(repository && {
		bugs: `${repository}/issues`,
		repository: { type: "git", url: `git+${repository}.git`, directory },
	}),
});

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
	const project = JSON.parse(readFileSync(new URL("../project.json", import.meta.url), "utf8"));
	if (project.homepage || project.repository) {
		const manifest = JSON.parse(readFileSync("package.json", "utf8"));
		const directory = relative(root, process.cwd()).replaceAll("\\", "/");
		const changed = withAddresses(manifest, directory, project);
		writeFileSync("package.json", `${JSON.stringify(changed, null, 2)}\n`);
	}
}
