import { type Command, Option } from "commander";
import { CONFIG, loadConfig, muteBetterAuth } from "../load-config";
import { type ExitCode, requireValues, UsageError } from "../terminal";
import { type ImportOptions, IN_SEVERAL, readFlags, SOURCES } from "./arguments";
import { requireAuth } from "./auth";

export function addImport(program: Command, end: (code: ExitCode) => void): void {
	const command = program
		.command("import")
		.summary("bring users in: a file, an export of another service, or organizations")
		.usage(
			`<file…> --tenant <id or slug> [--from <format>] [options]
       better-auth-tenant import <file…> --tenant-from <field> [--create-tenant] [options]
       better-auth-tenant import --from organizations --organization <id or all> [options]`,
		)
		.description(
			"Brings users into tenants: from files, with their password hashes, or from the organizations of Better Auth's organization plugin, which become tenants. Everything is read and checked before the first user is written. Repeat it as you like: a user who is there already is updated.",
		)
		.argument(
			"[file...]",
			"files, also compressed with gzip; a folder stands for its files *-users-*.json, as Keycloak writes them",
		)
		.optionsGroup("Files:")
		.option("--tenant <id or slug>", "the tenant that gets the users")
		.option(
			"--tenant-from <field>",
			"one file for many tenants: the field or column with the tenant's id or slug, as in tenant or app_metadata.tenant",
		)
		.option("--create-tenant", "create a tenant if there is none with this slug")
		.option("--name <text>", "the name of the new tenant; by default its slug")
		.addOption(
			new Option("--from <format>", "the format; by default it is guessed").choices(SOURCES),
		)
		.option("--columns <list>", "CSV: our columns and yours, as in email=E-Mail,externalId=id")
		.option(
			"--passwords <file>",
			"Auth0: the file with password hashes, which comes from its support",
		)
		.option("--providers <list>", "other names of providers, as in oidc=okta,samlp=saml")
		.option("--skip-passwords", "import users without their passwords")
		.option(
			"--set <field=value>",
			"an additional field of your users, for records without it, as in company=Acme; repeat it for several",
			(pair: string, others: string[] = []) => [...others, pair],
		)
		.option(
			"--metadata <field>",
			"Auth0, Clerk, Firebase, Keycloak: the additional field of your users that gets their metadata, as JSON",
		)
		.optionsGroup("Organizations:")
		.option(
			"--organization <id>",
			"an organization, or all; repeat it for several",
			(id: string, others: string[] = []) => [...others, id],
		)
		.addOption(
			new Option(
				"--in-several <what>",
				"people in several organizations; by default refuse",
			).choices(IN_SEVERAL),
		)
		.optionsGroup("Both:")
		.option("--dry-run", "check and report everything, and change nothing")
		.option("--report <file>", "write what happened to each user or organization, as NDJSON")
		.option("--resume", "go on after an interruption: skip what the report says is done")
		.option("--config <file>", CONFIG)
		.option("--yes", "run without asking")
		.option("--json", "print the result as JSON")
		.action(async (files: string[], options: ImportOptions) => {
			try {
				end(await runImport(files, options));
			} catch (error) {
				if (error instanceof UsageError) command.error(error.message);
				throw error;
			}
		});
	requireValues(command);
}

async function runImport(files: string[], options: ImportOptions): Promise<ExitCode> {
	const flags = readFlags(files, options);
	muteBetterAuth();
	const auth = requireAuth(await loadConfig(flags.config));
	// Loaded late: Better Auth takes time to load, and the help does not need it.
	if (flags.from === "organizations") {
		return (await import("./organizations")).importOrganizations(auth, flags);
	}
	return (await import("./files")).importFiles(auth, flags);
}
