import { generateKeyPairSync, randomUUID } from "node:crypto";
import type { JWK } from "oidc-provider";

const made = new Map<string, JWK>();

/** RS256, as Better Auth demands of Google's tokens. One key per issuer: they are slow to make. */
export function signingKeys(issuer: string): { keys: JWK[] } {
	const key = made.get(issuer) ?? makeKey();
	made.set(issuer, key);
	return { keys: [key] };
}

function makeKey(): JWK {
	const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
	const jwk = privateKey.export({ format: "jwk" });
	return { ...jwk, kty: "RSA", kid: randomUUID(), alg: "RS256", use: "sig" };
}
