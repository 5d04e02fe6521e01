import type { Command } from "commander";
import { MAX_TOKEN_DAYS } from "../../scim/token-limits";
import { lazily } from "../lazily";
import { daysUpTo } from "../option-values";

const actions = () => import("../actions/scim");

export function addScim(program: Command): void {
	const scim = program
		.command("scim")
		.description("manage the directory that manages the users of a tenant");
	const add = (usage: string, description: string, json: string) =>
		scim
			.command(usage)
			.description(description)
			.requiredOption("--tenant <tenant>", "the tenant, by slug or id")
			.option("--json", json);
	add(
		"create-token <name>",
		"create a token and print it, which is possible only once",
		"print it as JSON",
	)
		.option(
			"--expires-in <days>",
			"after how many days it expires (default: 365)",
			daysUpTo(MAX_TOKEN_DAYS),
		)
		.action(lazily(actions, "create"));
	add(
		"show",
		"show the URL for the directory, the roles of groups and the tokens",
		"print them as JSON",
	).action(lazily(actions, "show"));
	add("revoke-token <id>", "revoke a token; the users stay", "print { revoked } as JSON")
		.option("--yes", "do not ask for confirmation")
		.action(lazily(actions, "revoke"));
	add(
		"set-roles [group=role...]",
		"replace the roles of groups, the strongest first; without any, no group gives a role",
		"print the connection as JSON",
	)
		.option("--yes", "do not ask for confirmation")
		.action(lazily(actions, "setRoles"));
}
