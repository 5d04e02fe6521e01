#!/usr/bin/env node
// biome-ignore-all lint/correctness/noNodejsModules: the command runs in Node only
import { COMMANDS, USAGE } from "./commands";
import { type ExitCode, messageOf, print, printError, UsageError } from "./shared/terminal";

async function main([name = "", ...args]: string[]): Promise<ExitCode> {
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

const code = await main(process.argv.slice(2)).catch((error) => {
	printError(messageOf(error));
	return 1;
});
// The app's pools would keep the process alive. Wait until everything is written to the pipes.
process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
