import type { Command } from "commander";
import { lazily } from "../lazily";
import { collect } from "../option-values";
import { wrongUsage } from "../output";

const actions = () => import("../actions/key");

export function addKey(program: Command): void {
	const key = program.command("key").description("create, list and revoke the keys of programs");
	key
		.command("create <name>")
		.description("create a key and print it, which is possible only once")
		.requiredOption(
			"--scope <scope>",
			"operator, auditor, support, or an action such as tenant:get; repeat it for several",
			collect,
		)
		.option("--tenant <tenant>", "the only tenant that it may manage, by slug or id")
		.option("--expires-in <days>", "after how many days it expires (default: never)", parseDays)
		.option("--json", "print the key and its properties as JSON")
		.action(lazily(actions, "create"));
	key
		.command("list")
		.description("list the keys, newest first")
		.option("--json", "print them as JSON")
		.action(lazily(actions, "list"));
	key
		.command("revoke <id>")
		.description("revoke a key; all servers refuse it at once")
		.option("--yes", "do not ask for confirmation")
		.option("--json", "print { revoked } as JSON")
		.action(lazily(actions, "revoke"));
}

function parseDays(text: string): number {
	const days = Number(text);
	if (/^\d{1,5}$/.test(text) && days > 0) return days;
	throw wrongUsage(`${JSON.stringify(text)} is not a number of days.`);
}
