import type { Command } from "commander";
import { lazily } from "../lazily";

const actions = () => import("../actions/secrets");

export function addSecrets(program: Command): void {
	program
		.command("secrets")
		.description("manage the encryption of stored secrets")
		.command("rotate")
		.description(
			"re-encrypt everything that is stored encrypted with the newest secret of BETTER_AUTH_SECRETS: second factors with their recovery codes, signing keys, OAuth credentials and the secrets of webhooks; it can be interrupted and run again",
		)
		.option("--json", "print { total, reencrypted, unreadable, tables } as JSON")
		.action(lazily(actions, "rotate"));
}
