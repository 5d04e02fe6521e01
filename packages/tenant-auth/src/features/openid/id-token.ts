import { verifyJwsAccessToken } from "@better-auth/core/oauth2";
import * as z from "zod";
import { InvalidResponse } from "../../call/context/provider-problem";
import type { Limits } from "../../call/network/guarded-fetch";
import type { ProviderProblemCode } from "../../rules";
import { MAX_DOCUMENT_BYTES, ProviderProblem, SIGNATURE_ALGORITHMS } from "./provider-metadata";
import { keptFor, readJson } from "./read-json";

export type Claims = Record<string, unknown>;

const keySchema = z.object({
	kty: z.enum(["RSA", "EC", "OKP"]),
	kid: z.string().max(1024).optional(),
	alg: z.string().max(32).optional(),
	use: z.string().max(32).optional(),
	key_ops: z.array(z.string().max(32)).max(16).optional(),
	crv: z.string().max(32).optional(),
	n: z.string().max(4096).optional(),
	e: z.string().max(64).optional(),
	x: z.string().max(1024).optional(),
	y: z.string().max(1024).optional(),
});
type Key = z.output<typeof keySchema>;

export type LoadKeys = () => Promise<{ keys: Key[] }>;

const MAX_KEYS = 64;

/** Only public keys, and only what a signature is checked with. Certificates are left out. */
export async function loadKeys(jwksUri: string, limits: Limits): Promise<{ keys: Key[] }> {
	const loaded = await readJson(jwksUri, { ...limits, maxBytes: MAX_DOCUMENT_BYTES }).catch(() => {
		throw new ProviderProblem("The keys of the provider could not be loaded");
	});
	const { data } = z.object({ keys: z.array(z.unknown()) }).safeParse(loaded);
	const keys = (data?.keys ?? []).slice(0, MAX_KEYS).flatMap((key) => {
		const parsed = keySchema.safeParse(key);
		return parsed.success ? [parsed.data] : [];
	});
	if (keys.length === 0) throw new ProviderProblem("The provider has no usable keys");
	return { keys };
}

/**
 * A provider rotates its keys, so a token with an unknown key makes Better Auth load them again. Not more
 * often than this, whatever tokens come, and whether the provider responds or not.
 */
const RELOAD_INTERVAL = 10_000;

export function limitReloads(load: LoadKeys): LoadKeys {
	let failure: { error: unknown; until: number } | null = null;
	const loadKept = keptFor(RELOAD_INTERVAL, load);
	return async () => {
		if (failure && Date.now() < failure.until) throw failure.error;
		return loadKept().catch((error: unknown) => {
			failure = { error, until: Date.now() + RELOAD_INTERVAL };
			throw error;
		});
	};
}

interface Expected {
	issuer: string;
	/** The token must be issued to one of these. */
	clientIds: readonly string[];
	/** `null` if it was compared already. */
	nonce: string | null;
	keys: LoadKeys;
	/** How old the token may be, in seconds. */
	maxAge: number;
}

/** Clocks differ. In seconds. */
const CLOCK_SKEW = 60;

/**
 * Verifies an ID token and returns its claims.
 *
 * @see https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation
 */
export async function verifyIdToken(token: string, expected: Expected): Promise<Claims> {
	const { issuer, clientIds, nonce, keys, maxAge } = expected;
	// Better Auth's function for any signed token. It takes `jose` for the signature, and all of these.
	const claims: Claims = await verifyJwsAccessToken(token, {
		jwksFetch: keys,
		jwksCacheKey: keys,
		verifyOptions: {
			issuer,
			audience: [...clientIds],
			algorithms: SIGNATURE_ALGORITHMS,
			clockTolerance: CLOCK_SKEW,
			maxTokenAge: maxAge,
			requiredClaims: ["sub", "exp", "iat"],
		},
	}).catch((error: unknown) => {
		throw new InvalidResponse(problemIn(error), error);
	});
	requireAuthorizedParty(claims, clientIds);
	if (nonce !== null && claims.nonce !== nonce) throw new InvalidResponse("wrong_nonce");
	requireSubject(claims);
	return claims;
}

/** By the codes of `jose`, which are stable. */
const BY_CODE: Record<string, ProviderProblemCode> = {
	ERR_JWT_EXPIRED: "token_expired",
	ERR_JOSE_ALG_NOT_ALLOWED: "wrong_algorithm",
	ERR_JOSE_NOT_SUPPORTED: "wrong_algorithm",
	ERR_JWKS_NO_MATCHING_KEY: "unknown_key",
	ERR_JWKS_MULTIPLE_MATCHING_KEYS: "unknown_key",
	ERR_JWS_SIGNATURE_VERIFICATION_FAILED: "wrong_signature",
};

/** The claims that {@link verifyIdToken} lets `jose` compare. */
const BY_CLAIM: Record<string, ProviderProblemCode> = {
	iss: "wrong_issuer",
	aud: "wrong_audience",
	nbf: "token_not_valid_yet",
	iat: "token_not_valid_yet",
};

function problemIn(error: unknown): ProviderProblemCode {
	if (error instanceof ProviderProblem) return "keys_unavailable";
	const { code, claim, reason }: { code?: unknown; claim?: unknown; reason?: unknown } =
		Object(error);
	if (code !== "ERR_JWT_CLAIM_VALIDATION_FAILED") {
		return BY_CODE[String(code)] ?? "invalid_id_token";
	}
	const isCompared = claim === "iss" || claim === "aud" || reason === "check_failed";
	return (isCompared && BY_CLAIM[String(claim)]) || "missing_claim";
}

/** With several audiences, the token must say that it was issued to us. */
function requireAuthorizedParty({ aud, azp }: Claims, clientIds: readonly unknown[]): void {
	const isShared = Array.isArray(aud) && aud.length > 1;
	if (clientIds.includes(azp) || (azp === undefined && !isShared)) return;
	throw new InvalidResponse("wrong_audience");
}

export function requireSubject({ sub }: Claims): string {
	if (typeof sub === "string" && sub !== "") return sub;
	throw new InvalidResponse("missing_claim");
}
