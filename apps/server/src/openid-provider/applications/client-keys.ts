import { createPublicKey, type JsonWebKey } from "node:crypto";
import * as z from "zod";

const MAX_KEYS = 10;

/** In bits. A longer key would let a request take long. */
const RSA_BITS = { min: 2048, max: 4096 };

/** With 1, everybody could sign. A large one would let a request take long. */
const RSA_EXPONENT = { min: 3n, max: 2n ** 32n };

const CURVES: Record<string, string> = { "P-256": "ES256", "P-384": "ES384", "P-521": "ES512" };
const RSA_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"];

const text = z.string().min(1).max(2000);

/** What is stored of a key: nothing that is private, and no certificates. */
const publicKey = z.object({
	kty: z.enum(["RSA", "EC", "OKP"]),
	kid: z.string().max(200).optional(),
	alg: z.string().max(20).optional(),
	use: z.literal("sig").optional(),
	n: text.optional(),
	e: text.optional(),
	crv: text.optional(),
	x: text.optional(),
	y: text.optional(),
});

export type PublicKey = z.output<typeof publicKey>;
export type PublicKeys = { keys: PublicKey[] };

/** Members that only a private or a secret key has. */
const PRIVATE = ["d", "p", "q", "dp", "dq", "qi", "k", "oth"];

/** The key without what is not needed; `null` if no assertion can be verified with it. */
function findUsable(value: unknown): PublicKey | null {
	const key = publicKey.safeParse(value).data;
	if (!key || PRIVATE.some((member) => Object.hasOwn(Object(value), member))) return null;
	const { kty, crv = "", alg } = key;
	const algorithms = { RSA: RSA_ALGORITHMS, EC: [CURVES[crv]], OKP: ["EdDSA"] }[kty];
	if (alg !== undefined && !algorithms.includes(alg)) return null;
	if (kty === "EC" && !Object.hasOwn(CURVES, crv)) return null;
	if (kty === "OKP" && crv !== "Ed25519") return null;
	try {
		const { asymmetricKeyDetails } = createPublicKey({ key: key as JsonWebKey, format: "jwk" });
		const { modulusLength: bits = 0, publicExponent: exponent = 0n } = asymmetricKeyDetails ?? {};
		const hasLength = bits >= RSA_BITS.min && bits <= RSA_BITS.max;
		const hasExponent = exponent >= RSA_EXPONENT.min && exponent <= RSA_EXPONENT.max;
		return kty !== "RSA" || (hasLength && hasExponent) ? key : null;
	} catch {
		return null;
	}
}

/** The keys of an application, as somebody gives them: each must be usable. */
export const givenKeys = z
	.object({ keys: z.array(z.record(z.string(), z.unknown())).min(1).max(MAX_KEYS) })
	.refine(
		({ keys }) => keys.every((key) => findUsable(key) !== null),
		"must have only public keys for signatures: RSA with 2048 to 4096 bits, EC with P-256, P-384 or P-521, or Ed25519",
	);

/** The usable ones of some keys, without what is not needed. An application may publish others beside them. */
export function usableKeys(value: unknown): PublicKeys | null {
	const keys: unknown = Object(value).keys;
	if (!Array.isArray(keys)) return null;
	const usable = keys.slice(0, MAX_KEYS * 10).map(findUsable);
	return { keys: usable.filter((key) => key !== null).slice(0, MAX_KEYS) };
}

const storedSchema = z.object({
	keys: z.array(publicKey),
	/** Where they were read. Given keys have no source. */
	from: z.string().optional(),
	/** In milliseconds. */
	readAt: z.number().optional(),
});

export type StoredKeys = z.output<typeof storedSchema>;

/** The column `jwks`. The plugin verifies assertions with its keys, and ignores the rest. */
export function readStoredKeys(column: string | null | undefined): StoredKeys {
	const none = { keys: [] };
	if (!column) return none;
	return storedSchema.safeParse(JSON.parse(column)).data ?? none;
}
