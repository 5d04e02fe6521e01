import { loadConfig, muteBetterAuth } from "../shared/load-config";
import { type Command, type ExitCode, UsageError } from "../shared/terminal";
import { readArguments } from "./arguments";
import { requireAuth } from "./auth";

const usage = `better-auth-tenant import <file…> --tenant <id or slug> [--from <format>] [options]
better-auth-tenant import --from organizations --organization <id or all> [options]

Brings users into a tenant: from files, with their password hashes, or from the organizations of
Better Auth's organization plugin, which become tenants. Everything is read and checked before the
first user is written. Repeat it as you like: a user who is there already is updated.

Files
  --tenant <id or slug>  the tenant that gets the users
  --create-tenant        create the tenant if there is none with this slug
  --name <text>          the name of the new tenant; by default its slug
  --from <format>        ndjson, csv, auth0, clerk, firebase or keycloak; by default it is guessed
  --columns <list>       CSV: our columns and yours, as in email=E-Mail,externalId=id
  --passwords <file>     Auth0: the file with password hashes, which comes from its support
  --providers <list>     other names of providers, as in oidc=okta,samlp=saml
  --skip-passwords       import users without their passwords

Organizations
  --organization <id>    an organization, or all; repeat it for several
  --in-several <what>    people in several organizations: refuse (default), copy or skip

Both
  --dry-run              check and report everything, and change nothing
  --report <file>        write what happened to each user or organization, as NDJSON
  --resume               go on after an interruption: skip what the report says is done
  --config <file>        the module that exports your auth, as "auth" or as its default; by default
                         auth.ts (or .js) here or in lib, server, auth or utils, also below src or app
  --yes                  run without asking
  --json                 print the result as JSON

A file may be compressed with gzip. A folder stands for its files *-users-*.json, as Keycloak writes
them. The exit code is 1 if anything failed, and 130 after Ctrl-C.
`;

async function run(args: string[]): Promise<ExitCode> {
	const flags = readArguments(args);
	const isOrganizations = flags.from === "organizations";
	if (isOrganizations && flags.files.length > 0) {
		throw new UsageError("Organizations come from the database, not from a file");
	}
	muteBetterAuth();
	const auth = requireAuth(await loadConfig(flags.config));
	// Loaded late: Better Auth takes time to load, and the usage text does not need it.
	if (isOrganizations) return (await import("./organizations")).importOrganizations(auth, flags);
	return (await import("./files")).importFiles(auth, flags);
}

export const importCommand: Command = { usage, run };
