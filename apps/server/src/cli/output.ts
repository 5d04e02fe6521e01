import type { APIError } from "better-auth/api";
import { StartError } from "../settings/start-error";

/** 0: success. 1: failed, rejected, or problems found. 2: wrong usage. */
export type ExitCode = 0 | 1 | 2;

/** Why a command failed. The message is for the person who ran it. */
export class Failure extends Error {
	override name = "Failure";
	readonly code: string;
	readonly exitCode: ExitCode;

	constructor(message: string, { code = "FAILED", exitCode = 1 as ExitCode } = {}) {
		super(message);
		this.code = code;
		this.exitCode = exitCode;
	}
}

export const wrongUsage = (message: string) => new Failure(message, { code: "USAGE", exitCode: 2 });

/** As `isAPIError` of Better Auth, which would be loaded for each `--help`. */
const isAPIError = (error: unknown): error is APIError =>
	error instanceof Error && error.name === "APIError";

export function describeError(error: unknown): { code: string; message: string } {
	if (error instanceof Failure) return { code: error.code, message: error.message };
	if (error instanceof StartError) return { code: "SETTINGS", message: error.message };
	if (isAPIError(error)) {
		return { code: error.body?.code ?? String(error.status), message: error.message };
	}
	return { code: "FAILED", message: error instanceof Error ? error.message : String(error) };
}

export type OutputOptions = { json?: boolean };

/** Prints the result of a command to standard output: as JSON, or as text for people. */
export function printResult({ json }: OutputOptions, result: unknown, text: () => string): void {
	process.stdout.write(`${json ? JSON.stringify(result, null, 2) : text()}\n`);
}

/** Prints a remark to standard error, but not with --json. */
export function printNote({ json }: OutputOptions, line: string): void {
	if (!json) process.stderr.write(`${line}\n`);
}

export function printError({ json }: OutputOptions, error: unknown): void {
	const described = describeError(error);
	const line = json ? JSON.stringify({ error: described }) : described.message;
	process.stderr.write(`${line}\n`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are replaced
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;

/** Replaces control characters: a name that users chose must not control the terminal. */
export const plain = (value: unknown) => String(value ?? "").replace(CONTROL, "?");

/** Each column is as wide as its widest cell. */
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

/** One line for each name and value. */
export function listing(values: Record<string, unknown>): string {
	const width = Math.max(...Object.keys(values).map((name) => name.length));
	return Object.entries(values)
		.map(([name, value]) => `${name.padEnd(width)}  ${plain(value)}`.trimEnd())
		.join("\n");
}

export const count = (number: number, singular: string, plural = `${singular}s`) =>
	`${number} ${number === 1 ? singular : plural}`;

/** What a search in a long list did not do. */
export const SEARCH_LIMITED =
	"Only the newest 10,000 were searched, and those whose email or slug begins with the text.";

const BAR_WIDTH = 30;

export type ProgressBar = {
	show: (done: number, total: number) => void;
	/** Ends the line of the bar. */
	end: () => void;
};

/** A progress bar on standard error. It prints nothing if that is not a terminal. */
export function progressBar(label: string, { json }: OutputOptions): ProgressBar {
	if (json || !process.stderr.isTTY) return { show: () => {}, end: () => {} };
	let shown = "";
	return {
		show: (done, total) => {
			const part = total === 0 ? 1 : Math.min(1, done / total);
			const filled = Math.round(part * BAR_WIDTH);
			const bar = "#".repeat(filled) + ".".repeat(BAR_WIDTH - filled);
			const line = `${label} [${bar}] ${Math.floor(part * 100)}% ${done}/${total}`;
			if (line !== shown) process.stderr.write(`\r${line}`);
			shown = line;
		},
		end: () => {
			if (shown) process.stderr.write("\n");
		},
	};
}
