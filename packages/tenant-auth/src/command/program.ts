import { COMMANDS, USAGE } from "./commands";
import { type ExitCode, messageOf, print, printError, UsageError } from "./shared/terminal";

/** Runs a command. What goes wrong is printed. */
export const run = (args: string[]): Promise<ExitCode> =>
	runCommand(args).catch((error) => {
		printError(messageOf(error));
		return 1;
	});

async function runCommand([name = "", ...args]: string[]): Promise<ExitCode> {
	const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
	const usage = command?.usage ?? USAGE;
	if (args.includes("--help") || name === "--help") {
		print(usage);
		return 0;
	}
	if (!command) {
		printError(usage);
		return 2;
	}
	try {
		return await command.run(args);
	} catch (error) {
		if (!isWrongArgument(error)) throw error;
		printError(`${messageOf(error)}\n\n${usage}`);
		return 2;
	}
}

/** An argument that the command refuses, or that Node's parser does not know. */
function isWrongArgument(error: unknown): boolean {
	const { code }: { code?: unknown } = Object(error);
	return error instanceof UsageError || String(code).startsWith("ERR_PARSE_ARGS_");
}
