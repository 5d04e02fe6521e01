import type { AuthContext } from "@better-auth/core";
import { placeOfCredential } from "../../database/encrypted-fields";
import { type SealingContext, seal, unseal } from "../../database/encrypted-values";
import { tenantError } from "../../tenant-error";

/** Where a credential belongs. It can be decrypted nowhere else. */
export interface CredentialBinding {
	tenantId: string;
	providerId: string;
	field: "clientId" | "clientSecret";
}

const placeOf = (binding: CredentialBinding) => placeOfCredential(binding, binding.field);

export function encryptCredential(
	ctx: SealingContext,
	binding: CredentialBinding,
	value: string,
): Promise<string> {
	return seal(ctx, placeOf(binding), value);
}

/** A credential that cannot be decrypted is an error. It is never taken for plaintext. */
export async function decryptCredential(
	ctx: SealingContext & Pick<AuthContext, "logger">,
	binding: CredentialBinding,
	sealed: string,
): Promise<string> {
	try {
		return await unseal(ctx, placeOf(binding), sealed);
	} catch {
		// Not logged: the cause may contain a part of the plaintext.
		const { tenantId, providerId, field } = binding;
		ctx.logger.error(`Cannot decrypt the ${field} of tenant ${tenantId} for ${providerId}`);
		throw tenantError("OAUTH_CREDENTIAL_DECRYPT_FAILED");
	}
}

export type Credentials = Record<CredentialBinding["field"], string>;
type StoredCredentials = Omit<CredentialBinding, "field"> & Credentials;

/** One credential of a config's row, decrypted. */
export function decryptField(
	ctx: SealingContext & Pick<AuthContext, "logger">,
	{ tenantId, providerId, ...stored }: StoredCredentials,
	field: CredentialBinding["field"],
): Promise<string> {
	return decryptCredential(ctx, { tenantId, providerId, field }, stored[field]);
}

/** The stored credentials of a config. There may be several client ids. */
export const readCredentials = async (
	ctx: SealingContext & Pick<AuthContext, "logger">,
	row: StoredCredentials,
): Promise<Credentials> => ({
	clientId: await decryptField(ctx, row, "clientId"),
	clientSecret: await decryptField(ctx, row, "clientSecret"),
});
