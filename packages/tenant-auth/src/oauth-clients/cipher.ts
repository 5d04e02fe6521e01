import type { AuthContext } from "@better-auth/core";
import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { tenantError } from "../tenant-error";

/** Where a credential belongs. It can be decrypted nowhere else. */
export interface CredentialBinding {
	tenantId: string;
	providerId: string;
	field: "clientId" | "clientSecret";
}

type CipherContext = Pick<AuthContext, "secretConfig">;

/** Encrypts a credential together with its place: a ciphertext in another row or column is rejected. */
export async function encryptCredential(
	ctx: CipherContext,
	binding: CredentialBinding,
	value: string,
): Promise<string> {
	const data = JSON.stringify([binding.tenantId, binding.providerId, binding.field, value]);
	return symmetricEncrypt({ key: ctx.secretConfig, data });
}

/** A credential that cannot be decrypted is an error. It is never taken for plaintext. */
export async function decryptCredential(
	ctx: CipherContext & Pick<AuthContext, "logger">,
	binding: CredentialBinding,
	sealed: string,
): Promise<string> {
	try {
		const data: unknown = JSON.parse(
			await symmetricDecrypt({ key: ctx.secretConfig, data: sealed }),
		);
		return requireBound(data, binding);
	} catch {
		// Not logged: the cause may contain a part of the plaintext.
		const { tenantId, providerId, field } = binding;
		ctx.logger.error(`Cannot decrypt the ${field} of tenant ${tenantId} for ${providerId}`);
		throw tenantError("OAUTH_CREDENTIAL_DECRYPT_FAILED");
	}
}

type StoredCredentials = Omit<CredentialBinding, "field"> &
	Record<CredentialBinding["field"], string>;

/** One credential of a config's row, decrypted. */
export function decryptField(
	ctx: CipherContext & Pick<AuthContext, "logger">,
	{ tenantId, providerId, ...stored }: StoredCredentials,
	field: CredentialBinding["field"],
): Promise<string> {
	return decryptCredential(ctx, { tenantId, providerId, field }, stored[field]);
}

function requireBound(data: unknown, binding: CredentialBinding): string {
	if (!Array.isArray(data)) throw new Error("not a credential");
	const [tenantId, providerId, field, value] = data;
	const isBound =
		tenantId === binding.tenantId && providerId === binding.providerId && field === binding.field;
	if (!isBound || typeof value !== "string") throw new Error("a credential of another row");
	return value;
}
