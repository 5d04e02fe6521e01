#!/usr/bin/env node
import { CommanderError } from "commander";
import { type ExitCode, Failure } from "./failure";
import { printError } from "./output";
import { createProgram } from "./program";

async function run(): Promise<ExitCode> {
	try {
		await createProgram().parseAsync();
		return 0;
	} catch (error) {
		// Commander has said it already, help and version included.
		if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
		printError({ json: process.argv.includes("--json") }, error);
		return error instanceof Failure ? error.exitCode : 1;
	}
}

const code = await run();
// A connection that is still open must not hold the process. What was written to a pipe has to be
// through first.
process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
