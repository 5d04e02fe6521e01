import type { AuthContext } from "@better-auth/core";
import type { AnyAuth } from "../../call/context/current-state";
import { encryptedTables } from "../../call/context/encrypted-tables";
import { type EncryptionState, rowStateOf } from "../../database/encrypted-values";
import { walkById } from "../../database/walk-by-id";
import { type OAuthConfigRow, type ProviderSettings, settingsOf } from "./config";

const MODEL = "tenantOauthConfig";

/** A tenant's config without secrets, and whether its credentials can be decrypted. */
export interface InspectedCredentials {
	tenantId: string;
	providerId: string;
	enabled: boolean;
	options: ProviderSettings | null;
	state: EncryptionState;
}

/**
 * The OAuth configs of all tenants, and whether their credentials can be decrypted. The result contains no
 * secrets. `inspectStoredSecrets()` checks everything that is stored encrypted.
 *
 * @example
 * ```ts
 * for await (const { tenantId, providerId, state } of inspectCredentials(auth)) {
 *   if (state === "unreadable") console.error(tenantId, providerId);
 * }
 * ```
 */
export async function* inspectCredentials({
	$context,
}: AnyAuth): AsyncGenerator<InspectedCredentials> {
	const ctx = (await $context) as AuthContext;
	const fields = encryptedTables(ctx).find(({ model }) => model === MODEL)?.fields ?? [];
	for await (const row of walkById<OAuthConfigRow>(ctx, MODEL)) {
		const { tenantId, providerId, enabled } = row;
		const state = (await rowStateOf(ctx, fields, { ...row })) ?? "unreadable";
		yield { tenantId, providerId, enabled, options: settingsOf(row), state };
	}
}
