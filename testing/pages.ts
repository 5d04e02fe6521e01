import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

export interface Block {
	language: string;
	/** As in "```ts auth.ts". A block with a name is a whole file. */
	name: string | undefined;
	text: string;
	/** The line of the page at which the block begins. */
	line: number;
	/** The nearest heading of the second level. */
	section: string | undefined;
}

/** The code blocks of a page, from top to bottom. Those in a list are indented. */
export function blocksIn(document: string): Block[] {
	return [...document.matchAll(/^( *)```(\w+)(?: (\S+))?\n(.*?)^\1```$/gms)].map((match) => {
		const [, indent = "", language = "", name, indented = ""] = match;
		const before = document.slice(0, match.index);
		const section = [...before.matchAll(/^## (.+)$/gm)].at(-1)?.[1];
		const text = indented.replaceAll(new RegExp(`^${indent}`, "gm"), "");
		return { language, name, text, line: before.split("\n").length, section };
	});
}

const pagesIn = (folder: string) =>
	readdirSync(join(root, folder))
		.filter((name) => name.endsWith(".md"))
		.map((name) => `${folder}/${name}`);

/** All pages with their path in the repository. */
export const pages = ["README.md", ...pagesIn("docs"), ...pagesIn("docs/reference")];

export const textOf = (page: string) => readFileSync(join(root, page), "utf8");
