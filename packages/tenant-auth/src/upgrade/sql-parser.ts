const TOKEN =
	/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[\w$\u0080-\uffff]+|\s+|[\s\S]/g;
const BLANK = /^(?:\s|--|\/\*)/;

interface Token {
	text: string;
	start: number;
	end: number;
}

/** Splits a statement into words, literals and symbols, without whitespace and comments. */
export function tokensOf(sql: string): Token[] {
	return [...sql.matchAll(TOKEN)]
		.map(({ 0: text, index: start }) => ({ text, start, end: start + text.length }))
		.filter(({ text }) => !BLANK.test(text));
}

/** Returns a name without its quotes. */
export function nameIn(token: Token): string {
	const quote = token.text[0] ?? "";
	if (quote === "[") return token.text.slice(1, -1);
	if (!`"'\``.includes(quote)) return token.text;
	return token.text.slice(1, -1).replaceAll(quote + quote, quote);
}

export function splitStatements(script: string): string[] {
	const ends = tokensOf(script).filter(({ text }) => text === ";");
	const starts = [0, ...ends.map(({ end }) => end)];
	return starts
		.map((start, position) => script.slice(start, ends[position]?.start).trim())
		.filter((statement) => statement !== "");
}

/** A part of the text that is removed. */
type Cut = [start: number, end: number];

const CONSTRAINT = /^(?:constraint|primary|unique|check|foreign)$/i;
const is = (token: Token | undefined, word: string) => token?.text.toLowerCase() === word;

/**
 * Returns a `create table` statement of SQLite's catalog under another name and without a unique
 * constraint over exactly these columns. The rest of the text stays the same. Returns `null` if the
 * statement has no such constraint.
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
			? findTableConstraint(element, wanted, before)
			: findColumnConstraint(element, wanted);
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

/** Returns the columns and constraints: the parts between the commas of the outer parentheses. */
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

/** Finds `[constraint name] unique (a, b) [on conflict …]`, with the comma before it. */
function findTableConstraint(element: Token[], wanted: string[], before: number): Cut | null {
	const at = is(element[0], "constraint") ? 2 : 0;
	const close = element.findIndex(({ text }) => text === ")");
	const last = element.at(-1);
	if (!is(element[at], "unique") || !last) return null;
	// SQLite allows constraints without a comma between them. The cut would remove the others too.
	const rest = element.slice(close + 1);
	if (rest.length > 0 && !(rest.length === 3 && is(rest[0], "on"))) return null;
	const named = elementsAfter(element.slice(0, close + 1), at + 1).map(([name]) =>
		name ? nameIn(name).toLowerCase() : "",
	);
	return named.sort().join() === wanted.join() ? [before, last.end] : null;
}

/** Finds `[constraint name] unique [on conflict …]` in the definition of a column. */
function findColumnConstraint(element: Token[], wanted: string[]): Cut | null {
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
