import { resealCredentials } from "better-auth-tenant";
import type { Command } from "commander";
import { readConfiguration } from "../configuration";
import { Failure } from "../failure";
import { count, type OutputOptions, printResult } from "../output";
import { progressBar } from "../progress-bar";
import { withAuth } from "../with-auth";

export function addSecrets(program: Command): void {
	program
		.command("secrets")
		.description("what is stored encrypted")
		.command("rotate")
		.description(
			"seal every stored OAuth credential under the newest of BETTER_AUTH_SECRETS; it may be interrupted and run again",
		)
		.option("--json", "print { total, resealed, unreadable } as JSON")
		.action(rotate);
}

async function rotate(options: OutputOptions): Promise<void> {
	requireNumberedSecrets();
	await withAuth(async (auth) => {
		const bar = progressBar("Sealing", !options.json);
		const onProgress = ({ done, total }: { done: number; total: number }) => bar.show(done, total);
		const { done, resealed, unreadable } = await resealCredentials(auth, { onProgress }).finally(
			bar.end,
		);
		printResult(options, { total: done, resealed, unreadable }, () =>
			[
				`${count(done, "OAuth client")}: ${resealed} sealed anew, ${done - resealed - unreadable.length} were already.`,
				...unreadable.map(
					({ tenantId, providerId }) => `Not readable: ${providerId} of tenant ${tenantId}`,
				),
			].join("\n"),
		);
		if (unreadable.length === 0) return;
		throw new Failure(
			`${count(unreadable.length, "OAuth client")} could not be opened under any of the secrets: add the one they were sealed under, or register them again.`,
			{ code: "OAUTH_CREDENTIAL_DECRYPT_FAILED" },
		);
	});
}

function requireNumberedSecrets(): void {
	if (readConfiguration().config.settings.secrets.length > 0) return;
	throw new Failure(
		"BETTER_AUTH_SECRETS is not set: give it the new secret, such as 1:…, and leave the old one in BETTER_AUTH_SECRET or in DATA_DIR.",
		{ code: "NO_NUMBERED_SECRETS" },
	);
}
