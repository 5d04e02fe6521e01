import type { Command } from "commander";
import { lazily } from "../lazily";

const actions = () => import("../actions/clean-up");

export function addCleanUp(program: Command): void {
	program
		.command("clean-up")
		.description(
			"delete expired sessions, tokens and invitations, and events that are past their retention; the server does so by itself",
		)
		.option("--json", "print the number of deleted rows as JSON")
		.action(lazily(actions, "runCleanUp"));
}
