import type { webcrypto } from "node:crypto";
import { vi } from "vitest";
import keys from "./fixed-keys.json" with { type: "json" };

const isRsa = (algorithm: unknown): algorithm is webcrypto.RsaHashedKeyGenParams =>
	typeof algorithm === "object" && algorithm !== null && "modulusLength" in algorithm;

let used = 0;

/**
 * Gives tenants keys from a file, one after the other: to generate an RSA key takes longer than most
 * tests. Only for tests whose subject is not the key.
 *
 * @returns a function that ends it
 */
export function useFixedKeys(): () => void {
	const { subtle } = globalThis.crypto;
	const generate = subtle.generateKey.bind(subtle);
	const spy = vi.spyOn(subtle, "generateKey");
	spy.mockImplementation(async (algorithm, extractable, usages) => {
		if (!isRsa(algorithm)) return generate(algorithm, extractable, usages);
		const jwk = keys[used++ % keys.length] ?? {};
		const { kty, n, e } = jwk as webcrypto.JsonWebKey;
		const load = (parts: webcrypto.JsonWebKey, usage: webcrypto.KeyUsage) =>
			subtle.importKey("jwk", parts, algorithm, extractable, [usage]);
		return {
			publicKey: await load({ kty, n, e } as webcrypto.JsonWebKey, "verify"),
			privateKey: await load(jwk, "sign"),
		};
	});
	return () => spy.mockRestore();
}
