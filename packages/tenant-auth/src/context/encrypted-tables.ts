import type { AuthContext } from "@better-auth/core";
import { ENCRYPTED_TABLES, type EncryptedTable } from "../database/encrypted-fields";
import { requireInstance } from "./current-state";

/** The tables and columns that this app has and encrypts. */
export function encryptedTables(ctx: Pick<AuthContext, "options" | "tables">): EncryptedTable[] {
	return [...ENCRYPTED_TABLES, ...requireInstance(ctx).features.secrets]
		.filter(({ model }) => Object.hasOwn(ctx.tables, model))
		.map(({ model, fields }) => ({
			model,
			fields: fields.filter(({ isEncrypted }) => isEncrypted?.(ctx) ?? true),
		}))
		.filter(({ fields }) => fields.length > 0);
}
