import type { Command } from "commander";
import { lazily } from "../lazily";

const actions = () => import("../actions/migrate");

export function addMigrate(program: Command): void {
	program
		.command("migrate")
		.description("update the database, also one that was used by Better Auth without tenants")
		.option("--dry-run", "print the SQL without running it")
		.option("--yes", "do not ask before existing tables are changed")
		.option("--json", "print the statements and what was done as JSON")
		.action(lazily(actions, "migrate"));
}
