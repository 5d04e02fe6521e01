// biome-ignore-all lint/correctness/noNodejsModules: the entry is for servers with Node's crypto module

/**
 * Verification of password hashes that other services export, for the option `passwordHashes`.
 *
 * This is the entry `better-auth-tenant/password-hashes`. It needs `node:crypto`.
 *
 * @module
 */
import { createCipheriv, pbkdf2, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { PasswordHash } from "./features/imports/options";
import { MAX_COST } from "./password-hash-cost";

const derivePbkdf2 = promisify(pbkdf2);
const deriveScrypt = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

const fromBase64 = (text: string) => Buffer.from(text, "base64");

const areEqual = (one: Buffer, other: Buffer) =>
	one.length === other.length && timingSafeEqual(one, other);

/** The password hash parameters of a Firebase project, as its console shows them. */
export interface FirebaseHashConfig {
	/** `base64_signer_key` */
	signerKey: string;
	/** `base64_salt_separator` */
	saltSeparator: string;
	/** `rounds`, at most 16 */
	rounds: number;
	/** `mem_cost`, at most 16 */
	memCost: number;
}

/** Twice and four times what Firebase uses. More would let one sign-in take seconds and much memory. */
const MAX_ROUNDS = 16;
const MAX_MEM_COST = 16;

/**
 * Verifies the passwords of a Firebase project. The import stores `salt$hash`, both in base64.
 *
 * @throws Error if a parameter is missing or too large
 * @example
 * ```ts
 * passwordHashes: {
 *   "firebase-scrypt": firebaseScrypt({
 *     signerKey: process.env.FIREBASE_SIGNER_KEY ?? "",
 *     saltSeparator: "Bw==",
 *     rounds: 8,
 *     memCost: 14,
 *   }),
 * }
 * ```
 */
export function firebaseScrypt(config: FirebaseHashConfig): PasswordHash {
	const signerKey = fromBase64(config.signerKey);
	const separator = fromBase64(config.saltSeparator);
	const { rounds, memCost } = config;
	if (signerKey.length === 0) throw new Error("firebaseScrypt: signerKey is empty or not base64");
	requireCost("rounds", rounds, MAX_ROUNDS);
	requireCost("memCost", memCost, MAX_MEM_COST);
	const N = 2 ** memCost;
	const cost = { N, r: rounds, p: 1, maxmem: 256 * N * rounds };
	return {
		verify: async ({ hash, password }) => {
			const [salt = "", key = ""] = hash.split("$");
			const salted = Buffer.concat([fromBase64(salt), separator]);
			const derived = await deriveScrypt(password, salted, 64, cost);
			// Firebase encrypts the signer key with the derived key, and stores the result.
			const cipher = createCipheriv("aes-256-ctr", derived.subarray(0, 32), Buffer.alloc(16));
			const made = Buffer.concat([cipher.update(signerKey), cipher.final()]);
			return areEqual(made, fromBase64(key));
		},
	};
}

function requireCost(name: string, value: number, max: number): void {
	if (Number.isSafeInteger(value) && value > 0 && value <= max) return;
	throw new Error(`firebaseScrypt: ${name} must be between 1 and ${max}`);
}

const DIGESTS = ["sha1", "sha256", "sha512"];
/** A shorter key would be easy to guess. A longer one multiplies the work. */
const KEY_BYTES = { min: 16, max: 64 };

/**
 * Verifies the PBKDF2 hashes of Keycloak. The import stores `digest$iterations$salt$key`, with salt and key
 * in base64. A hash with more than two million iterations never verifies: it could block the server.
 *
 * @example
 * ```ts
 * passwordHashes: { "keycloak-pbkdf2": keycloakPbkdf2 }
 * ```
 */
export const keycloakPbkdf2: PasswordHash = {
	verify: async ({ hash, password }) => {
		const [digest = "", iterations = "", salt = "", encoded = ""] = hash.split("$");
		const key = fromBase64(encoded);
		const count = Number(iterations);
		const isAllowed =
			DIGESTS.includes(digest) &&
			Number.isSafeInteger(count) &&
			count > 0 &&
			count <= MAX_COST.iterations &&
			key.length >= KEY_BYTES.min &&
			key.length <= KEY_BYTES.max;
		if (!isAllowed) return false;
		return areEqual(await derivePbkdf2(password, fromBase64(salt), count, key.length, digest), key);
	},
};
