import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sidebar } from "../../../../docs/.vitepress/sidebar";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const pages = ["docs", "docs/reference"].flatMap((folder) =>
	readdirSync(join(root, folder))
		.filter((name) => name.endsWith(".md"))
		.map((name) => `${folder}/${name}`),
);
const documents = [
	...["README.md", "CONTRIBUTING.md", "SECURITY.md", "apps/server/README.md"],
	...pages,
];

/** As code hosts and the site make them. */
const anchorOf = (heading: string) =>
	heading
		.trim()
		.toLowerCase()
		.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
		.replaceAll(/[^\w\- ]/g, "")
		.replaceAll(" ", "-");

const withoutCode = (text: string) => text.replaceAll(/^```.*?^```$/gms, "");

function anchorsIn(file: string): string[] {
	const text = withoutCode(readFileSync(file, "utf8"));
	return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
}

it.each(documents)("every link of %s leads to a file and a heading", (document) => {
	const path = join(root, document);
	const links = [...withoutCode(readFileSync(path, "utf8")).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)];
	const dead = links.flatMap(([, link = ""]) => {
		const [file = "", anchor] = link.split("#");
		const target = file ? join(dirname(path), file) : path;
		if (!existsSync(target)) return [link];
		if (anchor === undefined || !target.endsWith(".md")) return [];
		return anchorsIn(target).includes(anchor) ? [] : [link];
	});
	expect(dead).toEqual([]);
});

const listed = sidebar.flatMap(({ items = [] }) => items.map(({ link }) => `docs${link}.md`));

it("the site lists every page once", () => {
	expect([...listed].sort()).toEqual(pages.filter((page) => page !== "docs/index.md").sort());
});

describe("README.md", () => {
	const readme = readFileSync(join(root, "README.md"), "utf8");
	const linksOf = (title: string) => {
		const [, section = ""] = readme.split(`\n## ${title}\n`);
		const [text = ""] = section.split("\n## ");
		return [...text.matchAll(/\]\((docs\/[^)#]+)\)/g)].map(([, link = ""]) => link);
	};

	it("lists the pages of the site: five to start with, and all others once", () => {
		const first = linksOf("Start here");
		expect(first).toHaveLength(5);
		expect([...first, ...linksOf("Documents")].sort()).toEqual([...listed].sort());
	});

	it("has the versions that the package supports", () => {
		const { engines, peerDependencies } = JSON.parse(
			readFileSync(join(root, "packages/tenant-auth/package.json"), "utf8"),
		);
		const [, oldest, next] = />=(\S+) <1\.(\d+)/.exec(peerDependencies["better-auth"]) ?? [];
		const [, node] = />=(\d+\.\d+)/.exec(engines.node) ?? [];
		expect(readme).toContain(
			`works with Better Auth ${oldest} to 1.${Number(next) - 1}.x, Node ${node} or newer`,
		);
	});
});
