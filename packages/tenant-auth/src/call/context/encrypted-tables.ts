import type { AuthContext } from "@better-auth/core";
import { type EncryptedTable, OWN_SECRETS } from "../../database/encrypted-fields";
import { FOREIGN_SECRETS } from "../foreign";
import { requireInstance } from "./current-state";

/** The tables and columns that this app has and encrypts. */
export function encryptedTables(ctx: Pick<AuthContext, "options" | "tables">): EncryptedTable[] {
	return [OWN_SECRETS, ...FOREIGN_SECRETS, ...requireInstance(ctx).features.secrets]
		.filter(({ model }) => Object.hasOwn(ctx.tables, model))
		.map(({ model, fields }) => ({
			model,
			fields: fields.filter(({ isEncrypted }) => isEncrypted?.(ctx) ?? true),
		}))
		.filter(({ fields }) => fields.length > 0);
}
