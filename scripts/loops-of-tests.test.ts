import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { listFiles } from "./copies.mjs";

const repository = fileURLToPath(new URL("..", import.meta.url));

const isOfTests = (path: string) =>
	/\.test\.tsx?$/.test(path) || /\/test\/.*\.tsx?$/.test(path) || path.startsWith("testing/");

/** Is in a text that has such a loop. Parsing all files would take seconds. */
const UNCHECKED = /\bfor \([^;]*? of (?!notEmpty\(|possiblyEmpty\(|\[[^\].\s])/;

/** Finds loops with an assertion whose list could be empty without anybody noticing. */
function findLoops(path: string, text: string): string[] {
	const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		ts.forEachChild(node, visit);
		if (!ts.isForOfStatement(node) || node.awaitModifier) return;
		if (!asserts(node.statement) || isChecked(node.expression)) return;
		const { line } = file.getLineAndCharacterOfPosition(node.getStart());
		found.push(`${path}:${line + 1}`);
	};
	visit(file);
	return found;
}

/** A loop that defines tests asserts nothing itself. */
const asserts = (node: ts.Node) =>
	/\bexpect/.test(node.getText()) && !/\b(describe|it|test)[.(]/.test(node.getText());

function isChecked(list: ts.Expression): boolean {
	if (ts.isAsExpression(list) || ts.isSatisfiesExpression(list)) return isChecked(list.expression);
	if (ts.isArrayLiteralExpression(list)) return list.elements.some((it) => !ts.isSpreadElement(it));
	return (
		ts.isCallExpression(list) && ["notEmpty", "possiblyEmpty"].includes(list.expression.getText())
	);
}

test("a loop that asserts something asserts that its list is not empty", () => {
	const files = listFiles(repository).filter(isOfTests);
	expect(files.length).toBeGreaterThan(100);
	const loops = files.flatMap((path) => {
		const text = readFileSync(`${repository}${path}`, "utf8");
		return UNCHECKED.test(text) && /\bexpect/.test(text) ? findLoops(path, text) : [];
	});
	expect(loops, "wrap these lists in notEmpty() of testing/not-empty.ts").toEqual([]);
});

test("the check finds such a loop, and accepts lists that are not empty", () => {
	const loop = (list: string) =>
		findLoops("a.test.ts", `for (const it of ${list}) { expect(it).toBe(1); }`);
	for (const list of ["users", "await list()", "[]", "[...users]"]) {
		expect(loop(list)).toEqual(["a.test.ts:1"]);
	}
	for (const list of ["[1]", "[a, ...b]", "[1] as const", "notEmpty(users)", "notEmpty(users)"]) {
		expect(loop(list)).toEqual([]);
	}
	const inner = "for (const user of [ada]) for (const role of user.roles) expect(role).toBe(1);";
	expect(findLoops("a.ts", inner)).toEqual(["a.ts:1"]);
	for (const code of [
		"for (const user of users) print(user);",
		"for (const user of users) it(user, () => expect(user).toBe(1));",
	]) {
		expect(findLoops("a.ts", code)).toEqual([]);
	}
});
