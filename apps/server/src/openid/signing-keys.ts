import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { runAcrossTenants } from "better-auth-tenant";
import type { Auth } from "../auth";

const MODEL = "jwks";
const BATCH = 100;

type KeyRow = { id: string; privateKey: string };

export type ReencryptedKeys = {
	total: number;
	reencrypted: number;
	/** Ids of keys that no secret decrypts. They are unchanged. */
	unreadable: string[];
};

/**
 * Re-encrypts the signing keys of all tenants with the newest secret. A key lasts for months, and tokens
 * could not be signed any more without the secret that encrypted it.
 */
export async function reencryptSigningKeys(auth: Auth): Promise<ReencryptedKeys> {
	const { adapter, secretConfig } = await auth.$context;
	const report: ReencryptedKeys = { total: 0, reencrypted: 0, unreadable: [] };
	const newest = typeof secretConfig === "string" ? null : `$ba$${secretConfig.currentVersion}$`;
	for (let offset = 0; ; offset += BATCH) {
		const rows = await runAcrossTenants(() =>
			adapter.findMany<KeyRow>({
				model: MODEL,
				sortBy: { field: "id", direction: "asc" },
				limit: BATCH,
				offset,
			}),
		);
		for (const { id, privateKey } of rows) {
			report.total += 1;
			const encrypted: string = JSON.parse(privateKey);
			if (newest && encrypted.startsWith(newest)) continue;
			const data = await symmetricDecrypt({ key: secretConfig, data: encrypted }).catch(() => null);
			if (data === null) {
				report.unreadable.push(id);
				continue;
			}
			const again = JSON.stringify(await symmetricEncrypt({ key: secretConfig, data }));
			// A key never changes otherwise, so nothing can be overwritten here.
			await runAcrossTenants(() =>
				adapter.updateMany({
					model: MODEL,
					where: [{ field: "id", value: id }],
					update: { privateKey: again },
				}),
			);
			report.reencrypted += 1;
		}
		if (rows.length < BATCH) return report;
	}
}
