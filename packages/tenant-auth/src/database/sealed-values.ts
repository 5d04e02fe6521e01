import type { AuthContext } from "@better-auth/core";
import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";

export type SealingContext = Pick<AuthContext, "secretConfig">;

/** Encrypts a value together with its place: a ciphertext in another row or column is rejected. */
export function seal(
	{ secretConfig }: SealingContext,
	place: readonly string[],
	value: string,
): Promise<string> {
	return symmetricEncrypt({ key: secretConfig, data: JSON.stringify([...place, value]) });
}

/** @throws Error if it cannot be decrypted, or was sealed for another place; it may contain plaintext */
export async function unseal(
	{ secretConfig }: SealingContext,
	place: readonly string[],
	sealed: string,
): Promise<string> {
	const data: unknown = JSON.parse(await symmetricDecrypt({ key: secretConfig, data: sealed }));
	if (!Array.isArray(data) || data.length !== place.length + 1) throw new Error("not a value");
	const value: unknown = data.at(-1);
	const isBound = place.every((part, index) => data[index] === part);
	if (!isBound || typeof value !== "string") throw new Error("a value of another place");
	return value;
}
