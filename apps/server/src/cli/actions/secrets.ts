import { type ReencryptedTable, reencryptStoredSecrets } from "better-auth-tenant";
import { readConfiguration } from "../configuration";
import { countRows, remedyFor } from "../encrypted-rows";
import { Failure, type OutputOptions, printResult, progressBar } from "../output";
import { withAuth } from "../with-auth";

export async function rotate(options: OutputOptions): Promise<void> {
	requireVersionedSecrets();
	await withAuth(async (auth) => {
		const bar = progressBar("Re-encrypting", options);
		const onProgress = ({ done, total }: { done: number; total: number }) => bar.show(done, total);
		const { done, reencrypted, unreadable, tables } = await reencryptStoredSecrets(auth, {
			onProgress,
		}).finally(bar.end);
		const each = Object.entries(tables) as [string, ReencryptedTable][];
		printResult(options, { total: done, reencrypted, unreadable, tables }, () =>
			[
				...each.map(([model, table]) => describe(model, table)),
				...unreadable.map(
					({ model, id, tenantId, providerId }) =>
						`Cannot be decrypted: ${providerId ?? `${model} ${id}`}${tenantId ? ` of tenant ${tenantId}` : ""}`,
				),
			].join("\n"),
		);
		const failed = each.filter(([, table]) => table.unreadable > 0);
		if (failed.length === 0) return;
		throw new Failure(
			failed
				.map(
					([model, table]) =>
						`${countRows(table.unreadable, model)} could not be decrypted with any secret. ${remedyFor(model)}`,
				)
				.join("\n"),
			{ code: "STORED_SECRET_DECRYPT_FAILED" },
		);
	});
}

function describe(model: string, { total, reencrypted, unreadable }: ReencryptedTable) {
	const current = total - reencrypted - unreadable;
	return `${countRows(total, model)}: ${reencrypted} re-encrypted, ${current} already up to date.`;
}

function requireVersionedSecrets(): void {
	if (readConfiguration().config.settings.secrets.length > 0) return;
	throw new Failure(
		"BETTER_AUTH_SECRETS is not set. Set it to the new secret, such as 1:…, and keep the old one in BETTER_AUTH_SECRET or in DATA_DIR.",
		{ code: "NO_NUMBERED_SECRETS" },
	);
}
