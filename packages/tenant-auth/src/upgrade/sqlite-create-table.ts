import { nameIn, type Token, tokensOf } from "./sql-text";

/** The cut of a text from one offset to another. */
type Cut = [start: number, end: number];

const CONSTRAINT = /^(?:constraint|primary|unique|check|foreign)$/i;
const is = (token: Token | undefined, word: string) => token?.text.toLowerCase() === word;

/**
 * A `create table` of SQLite's own catalog under another name, and without a unique constraint over
 * exactly these columns: SQLite drops none, so the table is made again. Nothing else of the text
 * changes. `null` where no such constraint is found in it.
 */
export function createWithoutUnique(
	sql: string,
	columns: string[],
	newName: string,
): string | null {
	const tokens = tokensOf(sql);
	const open = tokens.findIndex(({ text }) => text === "(");
	const body = tokens[open];
	if (!body) return null;
	const wanted = columns.map((column) => column.toLowerCase()).sort();
	const cuts: Cut[] = [];
	let before = body.end;
	for (const element of elementsAfter(tokens, open)) {
		const cut = CONSTRAINT.test(element[0]?.text ?? "")
			? cutOfTableConstraint(element, wanted, before)
			: cutOfColumn(element, wanted);
		if (cut) cuts.push(cut);
		before = element.at(-1)?.end ?? before;
	}
	if (cuts.length === 0) return null;
	const kept = cuts.reduceRight(
		(text, [start, end]) => text.slice(0, start) + text.slice(end),
		sql,
	);
	return `create table ${newName} ${kept.slice(body.start)}`;
}

/** Columns and constraints: what stands between the commas of the outermost parentheses. */
function elementsAfter(tokens: Token[], open: number): Token[][] {
	const elements: Token[][] = [[]];
	let depth = 0;
	for (const token of tokens.slice(open + 1)) {
		if (token.text === ")" && depth === 0) break;
		if (token.text === "(") depth += 1;
		if (token.text === ")") depth -= 1;
		if (token.text === "," && depth === 0) elements.push([]);
		else elements.at(-1)?.push(token);
	}
	return elements;
}

/** `[constraint name] unique (a, b) [on conflict …]`, with the comma before it. */
function cutOfTableConstraint(element: Token[], wanted: string[], before: number): Cut | null {
	const at = is(element[0], "constraint") ? 2 : 0;
	const close = element.findIndex(({ text }) => text === ")");
	const last = element.at(-1);
	if (!is(element[at], "unique") || !last) return null;
	// SQLite lets constraints stand without a comma between them: this one would take others along.
	const rest = element.slice(close + 1);
	if (rest.length > 0 && !(rest.length === 3 && is(rest[0], "on"))) return null;
	const named = elementsAfter(element.slice(0, close + 1), at + 1).map(([name]) =>
		name ? nameIn(name).toLowerCase() : "",
	);
	return named.sort().join() === wanted.join() ? [before, last.end] : null;
}

/** `[constraint name] unique [on conflict …]` in a column's definition. */
function cutOfColumn(element: Token[], wanted: string[]): Cut | null {
	const [name] = element;
	if (!name || wanted.length !== 1 || nameIn(name).toLowerCase() !== wanted[0]) return null;
	let depth = 0;
	for (const [at, token] of element.entries()) {
		if (token.text === "(") depth += 1;
		if (token.text === ")") depth -= 1;
		if (at === 0 || depth > 0 || !is(token, "unique")) continue;
		const first = is(element[at - 2], "constraint") ? at - 2 : at;
		const last = is(element[at + 1], "on") ? at + 3 : at;
		const [previous, end] = [element[first - 1], element[last]];
		if (previous && end) return [previous.end, end.end];
	}
	return null;
}
