import { Command } from "commander";
import { addDoctor } from "./commands/doctor";
import { addMigrate } from "./commands/migrate";
import { addOAuthConfig } from "./commands/oauth-config";
import { addSecrets } from "./commands/secrets";
import { addTenant } from "./commands/tenant";
import type { OutputOptions } from "./output";

/**
 * Commands throw what went wrong; nothing in here ends the process. What Commander says of wrong usage
 * is for people: machines are told of it as of any other error.
 */
export function createProgram({ json }: OutputOptions): Command {
	const program = new Command("tenant-auth")
		.description(
			"Run and look after the authentication service. Settings come from the environment.",
		)
		.exitOverride()
		.configureOutput(json ? { writeErr: () => {} } : {})
		.configureHelp({ showGlobalOptions: true })
		.addHelpText(
			"after",
			"\nExit codes: 0 done, 1 failed, refused or found something, 2 wrong usage.",
		);
	program
		.command("serve")
		.description("start the server; SIGTERM lets requests finish")
		.action(async () => {
			await import("../main");
			// It goes on until a signal ends it.
			await new Promise(() => {});
		});
	addMigrate(program);
	addTenant(program);
	addOAuthConfig(program);
	addSecrets(program);
	addDoctor(program);
	return program;
}
