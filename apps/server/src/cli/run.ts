import { CommanderError } from "commander";
import { type ExitCode, Failure, wrongUsage } from "./failure";
import { type OutputOptions, printError } from "./output";
import { createProgram } from "./program";

/** Does what the arguments say, tells what went wrong, and says how to end. */
export async function run(args: string[]): Promise<ExitCode> {
	const output = { json: args.includes("--json") };
	try {
		await createProgram(output).parseAsync(args, { from: "user" });
		return 0;
	} catch (error) {
		if (error instanceof CommanderError) return endOf(error, output);
		printError(output, error);
		return error instanceof Failure ? error.exitCode : 1;
	}
}

/** Commander ends by itself after help, and when it was called in a wrong way. */
function endOf({ exitCode, message }: CommanderError, output: OutputOptions): ExitCode {
	if (exitCode === 0) return 0;
	// To people it has said so already.
	if (output.json) printError(output, wrongUsage(message.replace(/^error: /, "")));
	return 2;
}
