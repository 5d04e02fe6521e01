import type { Command } from "commander";
import { lazily } from "../lazily";
import { parseTime } from "../option-values";

const actions = () => import("../actions/sessions");

export function addSessions(program: Command): void {
	program
		.command("sessions")
		.description("manage the sessions of all tenants")
		.command("end")
		.description(
			"end all sessions from before a time, the tokens that applications got before it, and links, codes and trusted devices, also those of operators; for example after a backup was restored, which brings back what had ended or was used",
		)
		.requiredOption("--before <time>", "such as 2026-11-17T12:00:00Z, or now", parseTime)
		.option("--yes", "do not ask for confirmation")
		.option("--json", "print { before, sessions, tokens, verifications } as JSON")
		.action(lazily(actions, "end"));
}
