import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { listFiles } from "./copies.mjs";

const repository = fileURLToPath(new URL("..", import.meta.url));

const isOfTests = (path: string) => /(^|\/)(test|testing)\/.*\.tsx?$/.test(path);

/**
 * Finds waits with a time limit that a slow machine can reach: `vi.waitFor` without `untilHang`, and
 * `expect.poll` with a limit of its own.
 */
function findShortWaits(path: string, text: string): string[] {
	return [...text.matchAll(/\bvi\.wait(?:For|Until)\(|\bexpect\.poll\(/g)].flatMap((match) => {
		const call = argumentsAt(text, match.index + match[0].length);
		const isPoll = match[0].startsWith("expect");
		const isShort = isPoll ? /\btimeout:/.test(call) : !/,\s*untilHang,?\s*$/.test(call);
		const line = text.slice(0, match.index).split("\n").length;
		return isShort ? [`${path}:${line}`] : [];
	});
}

/** What Playwright reads at once. Some wait for the element, and none for the value that a click is about to change. */
const READ =
	/\.(count|is(Visible|Hidden|Disabled|Enabled|Editable|Checked)|inputValue|innerText|textContent|all(InnerTexts|TextContents)|getAttribute|boundingBox|title)\([^()]*\)$/;
const URL_READ = /^(new URL\()?\w+\.url\(\)/;

/** Finds assertions about what a page shows or where it is that read it only once. */
function findReadsOfPages(path: string, text: string): string[] {
	if (!/"playwright-core"|\/chromium"/.test(text)) return [];
	return [...text.matchAll(/\bexpect\(/g)].flatMap((match) => {
		const read = argumentsAt(text, match.index + match[0].length).trim();
		const isOnce = read.startsWith("await ") ? READ.test(read) : URL_READ.test(read);
		const line = text.slice(0, match.index).split("\n").length;
		return isOnce ? [`${path}:${line}`] : [];
	});
}

/** The text from here to the bracket that ends the call. */
function argumentsAt(text: string, start: number): string {
	let depth = 1;
	let end = start;
	for (; depth > 0 && end < text.length; end += 1) {
		if ("([{".includes(text.charAt(end))) depth += 1;
		if (")]}".includes(text.charAt(end))) depth -= 1;
	}
	return text.slice(start, end - 1);
}

test("tests wait as long as it takes", () => {
	const files = listFiles(repository).filter(isOfTests);
	expect(files.length).toBeGreaterThan(100);
	const waits = files.flatMap((path) =>
		findShortWaits(path, readFileSync(`${repository}${path}`, "utf8")),
	);
	expect(waits, "pass untilHang of testing/time-limits.ts, or no limit to expect.poll").toEqual([]);
});

test("tests of pages wait for what they expect", () => {
	const reads = listFiles(repository)
		.filter(isOfTests)
		.flatMap((path) => findReadsOfPages(path, readFileSync(`${repository}${path}`, "utf8")));
	expect(reads, "write expect.poll(() => …) in place of expect(await …)").toEqual([]);
});

test("the check finds reads of pages that do not wait, and accepts others", () => {
	const find = (code: string) => findReadsOfPages("a.ts", `import "./chromium";\n${code}`);
	for (const read of [
		"await page.getByRole('row').count()",
		"page.url()",
		"new URL(a.url()).host",
	]) {
		expect(find(`expect(${read}).toBe(1)`)).toEqual(["a.ts:2"]);
		expect(find(`await expect.poll(() => ${read}).toBe(1)`)).toEqual([]);
	}
	expect(find("expect(await page.content()).toBe('')")).toEqual([]);
	expect(findReadsOfPages("a.ts", "expect(await rows.count()).toBe(1)")).toEqual([]);
});

test("the check finds short waits, and accepts others", () => {
	const wait = "vi.waitFor";
	for (const code of [`${wait}(() => f())`, `${wait}(f, { timeout: 9 })`]) {
		expect(findShortWaits("a.ts", code)).toEqual(["a.ts:1"]);
	}
	expect(findShortWaits("a.ts", `${wait}(() => f({ a: [1] }), untilHang)`)).toEqual([]);
});
