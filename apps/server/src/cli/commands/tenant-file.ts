import type { Command } from "commander";
import { lazily } from "../lazily";

const actions = () => import("../actions/tenant-file");

const PASSWORD_OPTION = [
	"--password-env <name>",
	"environment variable with the password of the file (default: ask, or read standard input)",
] as const;

export function addTenantFile(tenant: Command): void {
	tenant
		.command("export <tenant> <file>")
		.description(
			"write everything of a tenant to a new file that is encrypted with a password (format: age), as a backup or to move the tenant; without sessions and tokens",
		)
		.option(...PASSWORD_OPTION)
		.option("--json", "print { tenant, file, rows } as JSON")
		.action(lazily(actions, "exportToFile"));
	tenant
		.command("import <file>")
		.description(
			"import a tenant from such a file; it is suspended until you resume it; it can be interrupted and run again",
		)
		.option(...PASSWORD_OPTION)
		.option("--release-slug", "take the slug also if a tenant that was deleted had it")
		.option("--json", "print { tenant, written, existing, tables } as JSON")
		.action(lazily(actions, "importFromFile"));
}
