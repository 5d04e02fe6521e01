import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../../../testing/pages";
import {
	beginningsOf,
	levelOf,
	pagesWithCommands,
	shellBlocksOf,
} from "../../../../testing/shell-blocks";
import { commandsIn, problemWith } from "./known-commands";

describe.each(pagesWithCommands.filter((page) => shellBlocksOf(page).length > 0))("%s", (page) => {
	const blocks = shellBlocksOf(page);

	it.each(blocks.map((block) => [block.line, block] as const))(
		"the commands of line %i are executed, checked or exempt",
		(_, block) => {
			const level = levelOf(page, block);
			expect(level, "testing/shell-blocks.ts has no level for it").toBeDefined();
			if (typeof level === "object" && "executed" in level) {
				const source = readFileSync(join(root, level.executed), "utf8");
				const runs = ["blocksRunBy(", page].every((text) => source.includes(text));
				expect(runs, `${level.executed} does not run the blocks of ${page}`).toBe(true);
			}
			const problems = commandsIn(block.text).map((words) => [words, problemWith(words)] as const);
			const wrong = problems.filter(
				([, problem]) => problem && (level === "checked" || problem !== "unknown"),
			);
			expect(wrong).toEqual([]);
		},
	);

	it("has a block for each of its levels", () => {
		const unused = beginningsOf(page).filter(
			(beginning) => !blocks.some(({ text }) => text.startsWith(beginning)),
		);
		expect(unused).toEqual([]);
	});
});

it("every page with a level exists", () => {
	expect(pagesWithCommands.filter((page) => !existsSync(join(root, page)))).toEqual([]);
});

describe("the check", () => {
	it("reads commands as a shell does", () => {
		expect(
			commandsIn(
				`A=1 npm run a -- --b "c d" # no\nsudo -u me x y > z && npm install <path of it> | w`,
			),
		).toEqual([
			["npm", "run", "a", "--", "--b", "c d"],
			["x", "y"],
			["npm", "install", "<path of it>"],
			["w"],
		]);
	});

	it.each([
		["npm run nothing", "there is no script nothing"],
		["npm run bench -- --wrong", "bench has no option --wrong"],
		["npm run load -- --wrong 1", "load has no option --wrong"],
		["npm run example rails", "there is no examples/rails/package.json"],
		["npm create better-auth-tenant x --framework rails", '"rails" is not a framework'],
		["npx tenant-auth tenant make acme", "unknown command 'make'"],
		["npx tenant-auth tenant create acme --wrong", "unknown option '--wrong'"],
		["tenant-auth tenant create", "missing required argument 'slug'"],
		["npx better-auth-tenant improve", "unknown command 'improve'"],
		["npx better-auth-tenant upgrade --wrong", "unknown option '--wrong'"],
		["npx vitest run test/nothing", "there is no test/nothing"],
		["make install", "unknown"],
	])("finds what is wrong in %s", (command, problem) => {
		expect(commandsIn(command).map(problemWith)).toEqual([expect.stringContaining(problem)]);
	});
});
