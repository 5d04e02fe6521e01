import type { AuthContext } from "@better-auth/core";
import { type AnyAuth, acrossTenants } from "../../call/context/current-state";
import { encryptedTables } from "../../call/context/encrypted-tables";
import { type EncryptionState, rowStateOf } from "../../database/encrypted-values";
import { walkById } from "../../database/walk-by-id";

export type SecretContext = Pick<AuthContext, "adapter" | "secretConfig" | "options" | "tables">;

export type EncryptedRow = Record<string, unknown> & { id: string };

/** A row with values that are encrypted, and whether they can be decrypted. It has no secrets. */
export interface StoredSecret {
	/** The table, by its name in Better Auth's schema. */
	model: string;
	id: string;
	/** `null` if the table has no column for it. */
	tenantId: string | null;
	/** Of an OAuth config: the provider. */
	providerId?: string;
	/** The worst of its values. */
	state: EncryptionState;
}

export const secretContextOf = async ({ $context }: AnyAuth) => (await $context) as SecretContext;

/** The rows of a table, of all tenants. */
export function walkTable({ adapter }: SecretContext, model: string): AsyncGenerator<EncryptedRow> {
	const everywhere = {
		...adapter,
		findMany: <T>(query: Parameters<typeof adapter.findMany>[0]) =>
			acrossTenants(() => adapter.findMany<T>(query)),
	};
	return walkById<EncryptedRow>({ adapter: everywhere }, model);
}

export function describeRow(
	model: string,
	{ id, tenantId, providerId }: EncryptedRow,
): Omit<StoredSecret, "state"> {
	return {
		model,
		id,
		tenantId: typeof tenantId === "string" ? tenantId : null,
		...(model === "tenantOauthConfig" ? { providerId: String(providerId) } : {}),
	};
}

/**
 * Decrypts everything that this plugin, Better Auth and its plugins store encrypted, of all tenants: second
 * factors, tokens of accounts, signing keys, OAuth credentials and the secrets of webhooks. Use it to check
 * a restored backup, or before you remove an old secret.
 *
 * @example
 * ```ts
 * for await (const { model, id, state } of inspectStoredSecrets(auth)) {
 *   if (state !== "current") console.error(model, id, state);
 * }
 * ```
 */
export async function* inspectStoredSecrets(auth: AnyAuth): AsyncGenerator<StoredSecret> {
	const ctx = await secretContextOf(auth);
	for (const { model, fields } of encryptedTables(ctx)) {
		for await (const row of walkTable(ctx, model)) {
			const state = await rowStateOf(ctx, fields, row);
			if (state) yield { ...describeRow(model, row), state };
		}
	}
}
