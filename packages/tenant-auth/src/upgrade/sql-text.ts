const TOKEN =
	/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[\w$\u0080-\uffff]+|\s+|[\s\S]/g;
const BLANK = /^(?:\s|--|\/\*)/;

export interface Token {
	text: string;
	start: number;
	end: number;
}

/** The words, literals and signs of a statement, without blanks and comments. */
export function tokensOf(sql: string): Token[] {
	return [...sql.matchAll(TOKEN)]
		.map(({ 0: text, index: start }) => ({ text, start, end: start + text.length }))
		.filter(({ text }) => !BLANK.test(text));
}

export const literal = (value: string) => `'${value.replaceAll("'", "''")}'`;

/** A name as it is, or out of its quotes. */
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
