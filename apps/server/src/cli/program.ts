import { Command, CommanderError } from "commander";
import { version } from "../../package.json" with { type: "json" };
import { addApplication } from "./commands/application";
import { addAudit } from "./commands/audit";
import { addCleanUp } from "./commands/clean-up";
import { addDoctor } from "./commands/doctor";
import { addKey } from "./commands/key";
import { addMail } from "./commands/mail";
import { addMigrate } from "./commands/migrate";
import { addOAuthConfig } from "./commands/oauth-config";
import { addOperator } from "./commands/operator";
import { addSaml } from "./commands/saml";
import { addScim } from "./commands/scim";
import { addSecrets } from "./commands/secrets";
import { addSessions } from "./commands/sessions";
import { addTenant } from "./commands/tenant";
import { addUser } from "./commands/user";
import { type ExitCode, Failure, type OutputOptions, printError, wrongUsage } from "./output";

/** Runs a command, prints what went wrong, and returns the exit code. */
export async function run(args: string[]): Promise<ExitCode> {
	const output = { json: args.includes("--json") };
	try {
		await createProgram(output).parseAsync(args, { from: "user" });
		return 0;
	} catch (error) {
		if (error instanceof CommanderError) return exitCodeOf(error, output);
		printError(output, error);
		return error instanceof Failure ? error.exitCode : 1;
	}
}

/** Commander throws after it printed help (exit code 0) and for wrong usage. */
function exitCodeOf({ exitCode, message }: CommanderError, output: OutputOptions): ExitCode {
	if (exitCode === 0) return 0;
	// Without --json, Commander has printed the message already.
	if (output.json) printError(output, wrongUsage(message.replace(/^error: /, "")));
	return 2;
}

/** Commands throw errors and never end the process. */
export function createProgram({ json }: OutputOptions): Command {
	const program = new Command("tenant-auth")
		.description("Run and manage the authentication server. Settings come from the environment.")
		.version(version, "-v, --version", "print the version")
		.exitOverride()
		.configureOutput(json ? { writeErr: () => {} } : {})
		.configureHelp({ showGlobalOptions: true })
		.addHelpText(
			"after",
			"\nExit codes: 0 success, 1 failed, rejected or problems found, 2 wrong usage.",
		);
	program
		.command("serve")
		.description("start the server; SIGTERM stops it after running requests have finished")
		.action(async () => {
			await import("../main");
			// Runs until a signal ends the process.
			await new Promise(() => {});
		});
	addMigrate(program);
	addTenant(program);
	addUser(program);
	addAudit(program);
	addOAuthConfig(program);
	addApplication(program);
	addScim(program);
	addSaml(program);
	addOperator(program);
	addKey(program);
	addSecrets(program);
	addSessions(program);
	addCleanUp(program);
	addMail(program);
	addDoctor(program);
	return program;
}
