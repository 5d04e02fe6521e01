import { generateKeyPairSync, randomUUID } from "node:crypto";
import type { JWK } from "oidc-provider";

interface SigningKey {
	key: JWK;
	/** The issuer that uses the key, or used it last. */
	issuer: string;
	isUsed: boolean;
}

const made: SigningKey[] = [];

/**
 * Borrows a key for RS256, which Better Auth requires of Google's tokens. Keys take long to generate,
 * so a key that no other issuer uses any more is used again.
 */
export function borrowSigningKey(issuer: string): { key: JWK; giveBack(): void } {
	const free = made.filter(({ isUsed }) => !isUsed);
	const found = free.find((it) => it.issuer === issuer) ?? free[0] ?? addKey();
	Object.assign(found, { issuer, isUsed: true });
	return {
		key: found.key,
		giveBack() {
			found.isUsed = false;
		},
	};
}

function addKey(): SigningKey {
	const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
	const jwk = privateKey.export({ format: "jwk" });
	const key: JWK = { ...jwk, kty: "RSA", kid: randomUUID(), alg: "RS256", use: "sig" };
	const added = { key, issuer: "", isUsed: false };
	made.push(added);
	return added;
}
