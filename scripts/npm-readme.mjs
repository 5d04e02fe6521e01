// Prints the README of the npm package: the README of the repository without its parts for the
// repository only. A relative link becomes the path of the file, because the package does not contain
// that file. `npm pack` runs it (see `prepack` of the plugin).

import { readFileSync } from "node:fs";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

process.stdout.write(
	readme
		.replaceAll(/<!-- repository only -->.*?<!-- end of repository only -->\n\n/gs, "")
		.replaceAll(/\[([^\]]+)\]\((?!https:|#)([^)#]+)[^)]*\)/g, (_, label, path) =>
			label === path ? `\`${path}\`` : `${label} (\`${path}\`)`,
		),
);
