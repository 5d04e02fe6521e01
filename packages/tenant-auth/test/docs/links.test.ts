import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
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

it("the site lists every page once", () => {
	const listed = sidebar.flatMap(({ items = [] }) => items.map(({ link }) => `docs${link}.md`));
	expect(listed.sort()).toEqual(pages.filter((page) => page !== "docs/index.md").sort());
});
