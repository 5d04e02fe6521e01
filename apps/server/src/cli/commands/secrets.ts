import { reencryptCredentials, reencryptWebhookSecrets } from "better-auth-tenant";
import type { Command } from "commander";
import { reencryptSigningKeys } from "../../openid/signing-keys";
import { readConfiguration } from "../configuration";
import { count, Failure, type OutputOptions, printResult, progressBar } from "../output";
import { withAuth } from "../with-auth";

export function addSecrets(program: Command): void {
	program
		.command("secrets")
		.description("manage the encryption of stored credentials")
		.command("rotate")
		.description(
			"re-encrypt every stored OAuth credential, webhook secret and signing key with the newest secret of BETTER_AUTH_SECRETS; it can be interrupted and run again",
		)
		.option("--json", "print { total, reencrypted, unreadable, webhooks, signingKeys } as JSON")
		.action(rotate);
}

async function rotate(options: OutputOptions): Promise<void> {
	requireVersionedSecrets();
	await withAuth(async (auth) => {
		const bar = progressBar("Re-encrypting", options);
		const onProgress = ({ done, total }: { done: number; total: number }) => bar.show(done, total);
		const { done, reencrypted, unreadable } = await reencryptCredentials(auth, {
			onProgress,
		}).finally(bar.end);
		const webhooks = await reencryptWebhookSecrets(auth);
		const signingKeys = await reencryptSigningKeys(auth);
		printResult(options, { total: done, reencrypted, unreadable, webhooks, signingKeys }, () =>
			[
				`${count(done, "OAuth config")}: ${reencrypted} re-encrypted, ${done - reencrypted - unreadable.length} already up to date.`,
				`${count(webhooks.total, "webhook")}: ${webhooks.reencrypted} re-encrypted, ${webhooks.total - webhooks.reencrypted - webhooks.unreadable.length} already up to date.`,
				`${count(signingKeys.total, "signing key")}: ${signingKeys.reencrypted} re-encrypted.`,
				...unreadable.map(
					({ tenantId, providerId }) => `Cannot be decrypted: ${providerId} of tenant ${tenantId}`,
				),
				...webhooks.unreadable.map(
					({ tenantId, webhookId }) =>
						`Cannot be decrypted: webhook ${webhookId} of tenant ${tenantId}`,
				),
			].join("\n"),
		);
		if (signingKeys.unreadable.length > 0) {
			throw new Failure(
				`${count(signingKeys.unreadable.length, "signing key")} could not be decrypted with any secret. Add the secret that encrypted them.`,
				{ code: "SIGNING_KEY_DECRYPT_FAILED" },
			);
		}
		if (unreadable.length > 0) {
			throw new Failure(
				`${count(unreadable.length, "OAuth config")} could not be decrypted with any secret. Add the secret that encrypted them, or set them again.`,
				{ code: "OAUTH_CREDENTIAL_DECRYPT_FAILED" },
			);
		}
		if (webhooks.unreadable.length > 0) {
			throw new Failure(
				`The secrets of ${count(webhooks.unreadable.length, "webhook")} could not be decrypted with any secret. Add the secret that encrypted them, or rotate the secret of each webhook.`,
				{ code: "WEBHOOK_SECRET_DECRYPT_FAILED" },
			);
		}
	});
}

function requireVersionedSecrets(): void {
	if (readConfiguration().config.settings.secrets.length > 0) return;
	throw new Failure(
		"BETTER_AUTH_SECRETS is not set. Set it to the new secret, such as 1:…, and keep the old one in BETTER_AUTH_SECRET or in DATA_DIR.",
		{ code: "NO_NUMBERED_SECRETS" },
	);
}
