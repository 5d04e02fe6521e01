import type { Command } from "commander";
import { lazily } from "../lazily";
import { collect, parseJsonObject, splitList } from "../option-values";

const actions = () => import("../actions/oauth-config");

export function addOAuthConfig(program: Command): void {
	const config = program
		.command("oauth-config")
		.description("set, list, test and delete the OAuth configs of a tenant");
	config
		.command("set <tenant> <provider>")
		.description(
			"create or replace an OAuth config; the client secret comes from standard input, a variable or a prompt, never from the command line",
		)
		.requiredOption(
			"--client-id <id>",
			"the client id; repeat it for other clients that ID tokens may be issued to",
			collect,
		)
		.option("--secret-env <name>", "the environment variable that contains the client secret")
		.option("--no-secret", "for an OAuth client without a secret")
		.option(
			"--scopes <scopes>",
			"scopes to request in addition to the provider's defaults, comma-separated",
			splitList,
		)
		.option("--redirect-uri <url>", "replaces the default redirect URI")
		.option("--options <json>", "options of the provider, such as the issuer", parseJsonObject)
		.option(
			"--trust-emails <domains>",
			"email domains for which you trust the tenant's own identity provider, comma-separated",
			splitList,
		)
		.option("--disabled", "store it, but do not use it yet")
		.option("--json", "print the OAuth config as JSON, without the secret")
		.action(lazily(actions, "set"));
	config
		.command("list <tenant>")
		.description("list the OAuth configs of a tenant, without secrets")
		.option("--json", "print them as JSON")
		.action(lazily(actions, "list"));
	config
		.command("test <tenant> <provider>")
		.description("ask the provider whether a sign-in would work, without a person")
		.option("--json", "print { ok, steps } as JSON")
		.action(lazily(actions, "test"));
	config
		.command("delete <tenant> <provider>")
		.description("delete an OAuth config with its secret")
		.option("--yes", "do not ask for confirmation")
		.option("--json", "print { deleted } as JSON")
		.action(lazily(actions, "remove"));
}
