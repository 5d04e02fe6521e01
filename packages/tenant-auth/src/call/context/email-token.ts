import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { signJWT, verifyJWT } from "better-auth/crypto";
import { PLATFORM_ID } from "./tenant";

/** The claim that binds the token of a verification email to a tenant. */
const CLAIM = "tenantId";

type Claims = Record<string, unknown> & { exp?: number };

/** Core's token contains only an email, and the same email may exist in many tenants. */
export async function bindToken(
	ctx: Pick<AuthContext, "secret">,
	token: string,
	tenantId: string,
): Promise<string> {
	const claims = await verifyJWT<Claims>(token, ctx.secret);
	if (!claims) throw new Error("The token of a verification email cannot be verified");
	const { exp = 0, iat: _, ...own } = claims;
	const secondsLeft = Math.max(exp - Math.floor(Date.now() / 1000), 1);
	return signJWT({ ...own, [CLAIM]: tenantId }, ctx.secret, secondsLeft);
}

/** The tenant that the token of a verification email is bound to; `""` also for an invalid token. */
export async function tenantIdOfEmailToken({
	context,
	query,
}: GenericEndpointContext): Promise<string> {
	const token: unknown = query?.token;
	const claims = typeof token === "string" ? await readSignedClaims(token, context.secret) : null;
	return typeof claims?.[CLAIM] === "string" ? claims[CLAIM] : PLATFORM_ID;
}

const encoder = new TextEncoder();
const HMAC = { name: "HMAC", hash: "SHA-256" };

/**
 * The claims of a token that core signed (HS256), also if it has expired: core itself says so, in the
 * tenant of the token. `null` if the signature is wrong.
 */
async function readSignedClaims(
	token: string,
	secret: string,
): Promise<Record<string, unknown> | null> {
	const [header, payload, signature, more] = token.split(".");
	if (!header || !payload || !signature || more !== undefined) return null;
	try {
		const key = await crypto.subtle.importKey("raw", encoder.encode(secret), HMAC, false, [
			"verify",
		]);
		const signed = encoder.encode(`${header}.${payload}`);
		if (!(await crypto.subtle.verify("HMAC", key, decode(signature), signed))) return null;
		return JSON.parse(new TextDecoder().decode(decode(payload)));
	} catch {
		// Not base64, or not JSON.
		return null;
	}
}

const decode = (base64url: string) =>
	Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), (byte) =>
		byte.charCodeAt(0),
	);
