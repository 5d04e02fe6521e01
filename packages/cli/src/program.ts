import { Command, CommanderError } from "commander";
import { version } from "../package.json" with { type: "json" };
import { addAdopt } from "./adopt";
import { addImport } from "./import";
import { type ExitCode, escapeControls, messageOf, printError } from "./terminal";
import { addUpgrade } from "./upgrade";

/** Runs a command, prints what went wrong, and returns the exit code. */
export async function run(args: string[]): Promise<ExitCode> {
	let exitCode: ExitCode = 0;
	const program = createProgram((code) => {
		exitCode = code;
	});
	try {
		await program.parseAsync(args, { from: "user" });
		return exitCode;
	} catch (error) {
		// Commander has printed the help or the message already.
		if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
		printError(messageOf(error));
		return 1;
	}
}

/**
 * The program does not end the process.
 *
 * @param end gets the exit code of a command that ran to its end
 */
export function createProgram(end: (code: ExitCode) => void = () => {}): Command {
	const program = new Command("better-auth-tenant")
		.description(
			"Upgrades the database of your app to tenants, and brings users in. Exit codes: 0 done or nothing to do, 1 blocked, failed or declined, 2 wrong usage, 130 Ctrl-C.",
		)
		.version(version, "-v, --version", "print the version")
		.exitOverride()
		.showHelpAfterError()
		.configureOutput({ writeErr: (text) => process.stderr.write(escapeControls(text)) });
	addUpgrade(program, end);
	addAdopt(program, end);
	addImport(program, end);
	return program;
}
