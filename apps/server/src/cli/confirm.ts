import { createInterface } from "node:readline/promises";
import { Failure } from "./failure";

/**
 * Lets the command go on only when the person at the terminal has typed `word`, or has said `--yes`
 * before. With nobody there to ask it is refused: a script says what it means.
 */
export async function requireConfirmation(
	{ yes }: { yes?: boolean },
	warning: string,
	word: string,
): Promise<void> {
	if (yes) return;
	if (!process.stdin.isTTY) {
		throw new Failure(`${warning} Nobody is here to ask: say --yes if that is meant.`, {
			code: "NOT_CONFIRMED",
		});
	}
	const terminal = createInterface({ input: process.stdin, output: process.stderr });
	// Ctrl-C and Ctrl-D are answers too.
	const closed = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
	const question = `${warning}\nType ${word} to go on: `;
	const answer = await Promise.race([terminal.question(question), closed]);
	terminal.close();
	if (answer.trim() !== word) {
		throw new Failure("Nothing was changed.", { code: "NOT_CONFIRMED" });
	}
}
