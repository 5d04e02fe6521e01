import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../../../../", import.meta.url));

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

export function blocksIn(document: string): Block[] {
	return [...document.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map((match) => {
		const [, language = "", name, text = ""] = match;
		const before = document.slice(0, match.index);
		const section = [...before.matchAll(/^## (.+)$/gm)].at(-1)?.[1];
		return { language, name, text, line: before.split("\n").length, section };
	});
}

/** The blocks of a page that are whole files of TypeScript. */
export const filesIn = (document: string) =>
	blocksIn(document).flatMap(({ language, name, text }) =>
		language === "ts" && name ? [{ name, text }] : [],
	);

/** All pages with their path in the repository. */
export const pages = [
	"README.md",
	...["docs", "docs/reference"].flatMap((folder) =>
		readdirSync(join(root, folder))
			.filter((name) => name.endsWith(".md"))
			.map((name) => `${folder}/${name}`),
	),
];

export const textOf = (page: string) => readFileSync(join(root, page), "utf8");
