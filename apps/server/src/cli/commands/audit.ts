import type { Command } from "commander";
import { lazily } from "../lazily";
import { parseInteger } from "../option-values";

const actions = () => import("../actions/audit");

export function addAudit(program: Command): void {
	program
		.command("audit")
		.description("read the audit log")
		.command("list [tenant]")
		.description("list audit events of a tenant, or of all, newest first")
		.option("--action <action>", "only this action, such as tenant:suspend")
		.option("--limit <number>", "maximum number of events", parseInteger, 50)
		.option("--offset <number>", "number of events to skip", parseInteger, 0)
		.option("--json", "print { total, events } as JSON")
		.action(lazily(actions, "list"));
}
