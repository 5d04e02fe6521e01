import { describeError } from "./failure";

export type OutputOptions = { json?: boolean };

/** The result of a command, on standard output: JSON for machines, or text for people. */
export function printResult({ json }: OutputOptions, result: unknown, text: () => string): void {
	process.stdout.write(`${json ? JSON.stringify(result, null, 2) : text()}\n`);
}

/** What is said beside the result, to people only. */
export function say({ json }: OutputOptions, line: string): void {
	if (!json) process.stderr.write(`${line}\n`);
}

export function printError({ json }: OutputOptions, error: unknown): void {
	const described = describeError(error);
	const line = json ? JSON.stringify({ error: described }) : described.message;
	process.stderr.write(`${line}\n`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;

/** A name that somebody else chose must not move the cursor or change colours. */
export const plain = (value: unknown) => String(value ?? "").replace(CONTROL, "?");

/** Columns under their headings, each as wide as its widest cell. */
export function table(headings: string[], rows: unknown[][]): string {
	const cells = [headings, ...rows.map((row) => row.map(plain))];
	const widths = headings.map((_, column) =>
		Math.max(...cells.map((row) => row[column]?.length ?? 0)),
	);
	return cells
		.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
		.map((line) => line.trimEnd())
		.join("\n");
}

/** Names and values, one to a line. */
export function listing(values: Record<string, unknown>): string {
	const width = Math.max(...Object.keys(values).map((name) => name.length));
	return Object.entries(values)
		.map(([name, value]) => `${name.padEnd(width)}  ${plain(value)}`.trimEnd())
		.join("\n");
}

export const count = (number: number, singular: string, plural = `${singular}s`) =>
	`${number} ${number === 1 ? singular : plural}`;
