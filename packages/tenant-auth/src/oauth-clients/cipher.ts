import type { AuthContext } from "@better-auth/core";
import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { tenantError } from "../tenant-error";

/** What a credential is for. It opens nowhere else. */
export interface CredentialBinding {
	tenantId: string;
	providerId: string;
	field: "clientId" | "clientSecret";
}

type CipherContext = Pick<AuthContext, "secretConfig">;

/**
 * Encrypts a credential together with what it is for, so that a ciphertext that was moved to
 * another row or column is refused there.
 */
export async function sealCredential(
	ctx: CipherContext,
	binding: CredentialBinding,
	value: string,
): Promise<string> {
	const data = JSON.stringify([binding.tenantId, binding.providerId, binding.field, value]);
	return symmetricEncrypt({ key: ctx.secretConfig, data });
}

/** What cannot be opened is an error: never taken for plaintext, and never told to the caller. */
export async function openCredential(
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
		// The cause may hold a part of what was decrypted, so it is not logged.
		const { tenantId, providerId, field } = binding;
		ctx.logger.error(`Cannot open the ${field} of tenant ${tenantId} for ${providerId}`);
		throw tenantError("OAUTH_CREDENTIAL_DECRYPT_FAILED");
	}
}

function requireBound(data: unknown, binding: CredentialBinding): string {
	if (!Array.isArray(data)) throw new Error("not a credential");
	const [tenantId, providerId, field, value] = data as unknown[];
	const isBound =
		tenantId === binding.tenantId && providerId === binding.providerId && field === binding.field;
	if (!isBound || typeof value !== "string") throw new Error("a credential of another row");
	return value;
}
