import input from "@inquirer/input";
import password from "@inquirer/password";
import { MIN_FILE_PASSWORD } from "../tenant-file/encrypted-lines";
import { Failure, wrongUsage } from "./output";

/**
 * Continues only if the person at the terminal types `word`, or passed `--yes`. Without a terminal it
 * throws, so that a script has to pass `--yes`.
 */
export async function requireConfirmation(
	{ yes }: { yes?: boolean },
	warning: string,
	word: string,
): Promise<void> {
	if (yes) return;
	if (!process.stdin.isTTY) {
		throw new Failure(`${warning} There is no terminal to ask for confirmation: pass --yes.`, {
			code: "NOT_CONFIRMED",
		});
	}
	const typed = await ask(input, { message: `${warning}\nType ${word} to continue:` });
	if (typed.trim() !== word) throw notConfirmed();
}

export type SecretSource = {
	/** The name of an environment variable. */
	secretEnv?: string;
	/** `false` for an OAuth client without a secret. */
	secret: boolean;
};

/**
 * Reads a client secret. It never comes from the arguments of the command: other users of the machine
 * could see it there, and the shell's history would keep it.
 */
export async function readSecret({ secretEnv, secret }: SecretSource): Promise<string> {
	if (!secret) return "";
	if (secretEnv) {
		return requireText(process.env[secretEnv], `The variable ${secretEnv} is empty`);
	}
	const text = process.stdin.isTTY
		? await ask(password, { message: "Client secret:", toggleMask: false })
		: await readStandardInput();
	return requireText(text, "There is no secret on standard input");
}

function requireText(value: string | undefined, problem: string): string {
	const text = withoutLineEnd(value);
	if (text) return text;
	throw wrongUsage(`${problem}. Use --no-secret for an OAuth client without a secret.`);
}

const withoutLineEnd = (text = "") => text.replace(/\r?\n$/, "");

export type PasswordSource = {
	/** The name of an environment variable. */
	passwordEnv?: string;
};

/** Reads the password of a file or a user. Like a client secret, it never comes from the arguments. */
export async function readPassword(
	{ passwordEnv }: PasswordSource,
	message = "Password of the file:",
): Promise<string> {
	if (passwordEnv) return withoutLineEnd(process.env[passwordEnv]);
	if (!process.stdin.isTTY) return withoutLineEnd(await readStandardInput());
	return ask(password, { message, toggleMask: false });
}

/** The same for a new file, where a typing error would be found too late. */
export async function readNewPassword(source: PasswordSource): Promise<string> {
	const first = await readPassword(source);
	if (first.length < MIN_FILE_PASSWORD) {
		throw wrongUsage(
			`The password of the file must have at least ${MIN_FILE_PASSWORD} characters.`,
		);
	}
	return askAgain(source, first);
}

/** The first password of a user. The endpoint checks whether it is long enough. */
export async function readUserPassword(source: PasswordSource): Promise<string> {
	const first = await readPassword(source, "Password of the user:");
	if (first) return askAgain(source, first);
	const { passwordEnv } = source;
	throw wrongUsage(
		passwordEnv
			? `The variable ${passwordEnv} is empty.`
			: "There is no password on standard input.",
	);
}

async function askAgain({ passwordEnv }: PasswordSource, first: string): Promise<string> {
	if (passwordEnv || !process.stdin.isTTY) return first;
	const again = await ask(password, { message: "The same again:", toggleMask: false });
	if (again !== first) throw wrongUsage("The passwords are not the same.");
	return first;
}

export async function readStandardInput(): Promise<string> {
	let text = "";
	process.stdin.setEncoding("utf8");
	for await (const chunk of process.stdin) text += chunk;
	return text;
}

const notConfirmed = () => new Failure("Nothing was changed.", { code: "NOT_CONFIRMED" });

type Prompt<Config> = (
	config: Config,
	context: { output: NodeJS.WritableStream; signal: AbortSignal },
) => Promise<string>;

/** Asks on standard error, because standard output is for results. */
async function ask<Config>(prompt: Prompt<Config>, config: Config): Promise<string> {
	const ended = new AbortController();
	const end = () => ended.abort();
	// Ctrl-D closes the prompt without an input. The library then waits for the process to end, which
	// an open connection would prevent.
	process.stdin.once("pause", end);
	try {
		return await prompt(config, { output: process.stderr, signal: ended.signal });
	} catch (error) {
		const isCanceled = error instanceof Error && /^(Exit|Abort)PromptError$/.test(error.name);
		throw isCanceled ? notConfirmed() : error;
	} finally {
		process.stdin.off("pause", end);
	}
}
