import { type Block, blocksIn, pages, textOf } from "../../../../testing/pages";

/** The blocks of all pages in these languages, each with its place. */
export const blocksOf = (...languages: string[]) =>
	pages.flatMap((page) =>
		blocksIn(textOf(page))
			.filter(({ language }) => languages.includes(language))
			.map((block): [string, Block] => [`${page}:${block.line}`, block]),
	);
