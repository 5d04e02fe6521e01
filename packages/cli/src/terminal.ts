import { createInterface } from "node:readline/promises";
import { type Command, InvalidArgumentError } from "commander";

/** 0: done, or nothing to do. 1: blocked, failed or declined. 2: wrong arguments. 130: Ctrl-C. */
export type ExitCode = 0 | 1 | 2 | 130;

/** Wrong arguments. The help is printed with it. */
export class UsageError extends Error {}

/** Commander takes what follows for the value, also an option: `--report --dry-run` would change data. */
export function requireValues({ options }: Command): void {
	for (const option of options.filter(({ required }) => required)) {
		const { parseArg = (value: string) => value } = option;
		option.argParser((value: string, previous: unknown) => {
			if (value.startsWith("--")) throw new InvalidArgumentError("Its value is missing.");
			return parseArg(value, previous as never);
		});
	}
}

/** Names in files and in the database may contain sequences that a terminal obeys. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** In the notation of JSON, so that output in JSON stays valid. */
export const escapeControls = (text: string) =>
	text.replaceAll(
		CONTROL,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);

export const print = (line: string) => void process.stdout.write(`${escapeControls(line)}\n`);
export const printError = (line: string) => void process.stderr.write(`${escapeControls(line)}\n`);

export const messageOf = (error: unknown) =>
	error instanceof Error ? error.message : String(error);

/** Asks somebody at the terminal. Without a terminal, the answer is no. */
export async function confirm(question: string): Promise<boolean> {
	if (!process.stdin.isTTY) {
		printError(
			"Without a terminal, nobody can confirm. Use --yes to run it or --dry-run to see what it would do.",
		);
		return false;
	}
	const terminal = createInterface({ input: process.stdin, output: process.stderr });
	const answer = await terminal.question(`${question} [y/N] `);
	terminal.close();
	return /^y(es)?$/i.test(answer.trim());
}
