// Puts the README and the user documents into the npm package of the plugin: `prepack` runs it there.
// A link to a file that is not in the package becomes a URL, if `project.json` has the URL of the
// documents (`homepage`) or of the repository. Otherwise it becomes the path of the file, as text.
//
//   node ../../scripts/package-documents.mjs    writes README.md and docs/ to the current folder

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** @typedef {{ homepage: string, repository: string }} Project without a slash at the end */

/** @type {Project} */
export const project = JSON.parse(readFileSync(join(root, "project.json"), "utf8"));

/** Not for users of the plugin: they are for contributors, or for operators of the service. */
const LEFT_OUT = [
	"apps",
	"deploy",
	"first-app",
	"high-availability",
	"how-it-works",
	"index",
	"performance-results",
	"reference/service-cli",
	"regions",
	"scaling",
	"security-testing",
	"service",
	"service-emails",
	"service-operation",
	"service-operators",
	"service-pages",
	"service-settings",
].map((name) => `docs/${name}.md`);

const README = "README.md";

/**
 * The documents of the package, by their path in it.
 *
 * @param {Project} addresses
 * @returns {Map<string, string>}
 */
export function packageDocuments(addresses) {
	const pages = ["docs", "docs/reference"]
		.flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
		.filter((path) => path.endsWith(".md") && !LEFT_OUT.includes(path));
	const packed = [README, "LICENSE", ...pages];
	return new Map([README, ...pages].map((path) => [path, convert(path, packed, addresses)]));
}

/**
 * @param {string} path
 * @param {string[]} packed
 * @param {Project} addresses
 */
function convert(path, packed, addresses) {
	const text = readFileSync(join(root, path), "utf8").replaceAll(
		/<!-- repository only -->.*?<!-- end of repository only -->\n\n/gs,
		"",
	);
	// Code stays as it is.
	return text.replaceAll(
		/^ *```.*?^ *```$|(!?)\[([^\]]*)\]\((?!\w+:|#)([^)\s]+)\)/gms,
		(whole, image, label, link) => {
			if (link === undefined) return whole;
			const [file, anchor] = link.split("#");
			const target = posix.join(posix.dirname(path), file);
			// A part of the README that is for the repository only is not in the package.
			const isPart = target === README && anchor !== undefined;
			const url = findUrl(target, anchor, addresses, path === README);
			if (packed.includes(target) && !isPart && !url) return whole;
			if (url) return `${image}[${label}](${url})`;
			if (image) return `*${label}*`;
			return label === target ? `\`${target}\`` : `${label} (\`${target}\`)`;
		},
	);
}

/**
 * npm shows the README on its site, where files of the package have no URL. The other documents are read
 * from the package.
 *
 * @param {string} target
 * @param {string | undefined} anchor
 * @param {Project} addresses
 * @param {boolean} inReadme
 */
function findUrl(target, anchor, { homepage, repository }, inReadme) {
	const [, page] = /^docs\/(.+)\.md$/.exec(target) ?? [];
	const isPacked = page && !LEFT_OUT.includes(target);
	if (isPacked && !inReadme) return undefined;
	const end = anchor === undefined ? "" : `#${anchor}`;
	if (page && homepage) return `${homepage}/${page}${end}`;
	return repository ? `${repository}/blob/HEAD/${target}${end}` : undefined;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
	rmSync("docs", { recursive: true, force: true });
	for (const [path, text] of packageDocuments(project)) {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
	}
}
