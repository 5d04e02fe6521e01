import type { Command } from "commander";
import { lazily } from "../lazily";
import { parseInteger, parseJsonObject } from "../option-values";
import { addTenantFile } from "./tenant-file";

const actions = () => import("../actions/tenant");

export function addTenant(program: Command): void {
	const tenant = program
		.command("tenant")
		.description("create, list, show, update, suspend, delete, export and import tenants");
	tenant
		.command("create <slug>")
		.description("create a tenant")
		.option("--name <name>", "display name (default: the slug)")
		.option("--metadata <json>", "a JSON object", parseJsonObject)
		.option("--json", "print the tenant as JSON")
		.action(lazily(actions, "create"));
	tenant
		.command("list")
		.description("list tenants, oldest first")
		.option("--search <text>", "only tenants whose name or slug contains the text")
		.option("--limit <number>", "maximum number of tenants", parseInteger, 100)
		.option("--offset <number>", "number of tenants to skip", parseInteger, 0)
		.option("--json", "print { total, searchLimited, tenants } as JSON")
		.action(lazily(actions, "list"));
	tenant
		.command("show <tenant>")
		.description("show a tenant, by slug or id, with its number of users and its providers")
		.option("--json", "print the tenant as JSON")
		.action(lazily(actions, "show"));
	tenant
		.command("update <tenant>")
		.description("change a tenant")
		.option("--name <name>", "display name")
		.option("--slug <slug>", "another slug; links with the old one no longer work")
		.option("--metadata <json>", "a JSON object that replaces the old one", parseJsonObject)
		.option("--json", "print the tenant as JSON")
		.action(lazily(actions, "update"));
	tenant
		.command("suspend <tenant>")
		.description("reject all sign-ins and sessions until the tenant is resumed")
		.option("--json", "print the tenant as JSON")
		.action(lazily(actions, "suspend"));
	tenant
		.command("resume <tenant>")
		.description("end a suspension; sessions are valid again")
		.option("--json", "print the tenant as JSON")
		.action(lazily(actions, "resume"));
	tenant
		.command("delete <tenant>")
		.description("permanently delete a tenant with its users, sessions and OAuth configs")
		.option("--yes", "do not ask for confirmation")
		.option(
			"--moved",
			"refuse unless the tenant has moved: suspended here, exported after that, and open in another region",
		)
		.option("--json", "print { deleted } as JSON")
		.action(lazily(actions, "remove"));
	addTenantFile(tenant);
}
