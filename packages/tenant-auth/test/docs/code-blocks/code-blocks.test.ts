import { expect, it } from "vitest";
import { blocksIn, pages, textOf } from "./blocks";
import { compileBlocks } from "./compile";

/** Blocks that are not compiled, by page and line of their text, with the reason. */
const EXEMPT: readonly { page: string; contains: string; reason: string }[] = [];

const isExempt = (page: string, { text }: { text: string }) =>
	EXEMPT.some((it) => it.page === page && text.includes(it.contains));

it("every block of TypeScript compiles with every strict option, and so does a larger app", () => {
	expect(compileBlocks(isExempt)).toBe("");
});

it("every exempt block exists", () => {
	const unknown = EXEMPT.filter(
		({ page, contains }) =>
			!pages.includes(page) || !blocksIn(textOf(page)).some(({ text }) => text.includes(contains)),
	);
	expect(unknown).toEqual([]);
});
