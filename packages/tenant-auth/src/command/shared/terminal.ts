// biome-ignore-all lint/correctness/noNodejsModules: the command runs in Node only
import { createInterface } from "node:readline/promises";

/** 0: done, or nothing to do. 1: blocked, failed or declined. 2: wrong arguments. 130: Ctrl-C. */
export type ExitCode = 0 | 1 | 2 | 130;

export interface Command {
	usage: string;
	run: (args: string[]) => Promise<ExitCode>;
}

/** Wrong arguments. The usage is printed with it. */
export class UsageError extends Error {}

export const print = (line: string) => void process.stdout.write(`${line}\n`);
export const printError = (line: string) => void process.stderr.write(`${line}\n`);

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
