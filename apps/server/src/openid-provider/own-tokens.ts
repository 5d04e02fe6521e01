import type { GenericEndpointContext } from "@better-auth/core";
import { compactVerify, createLocalJWKSet, type JWK, type JWTPayload, jwtVerify } from "jose";

type Key = { id: string; alg?: string | null; publicKey: string };

/** The keys of the tenant, from the database: the server does not call itself for them. */
async function keysOf({ context }: GenericEndpointContext) {
	const rows = await context.adapter.findMany<Key>({ model: "jwks" });
	const keys = rows.map(({ id, alg, publicKey }): JWK => {
		return { ...JSON.parse(publicKey), kid: id, ...(alg ? { alg } : {}) };
	});
	return createLocalJWKSet({ keys });
}

/** Whether a key of the tenant signed a token, for this issuer, and it has not expired. */
export async function isOwnToken(ctx: GenericEndpointContext, token: string): Promise<boolean> {
	return jwtVerify(token, await keysOf(ctx), { issuer: ctx.context.baseURL }).then(
		() => true,
		() => false,
	);
}

/**
 * The claims of an ID token that an app sends as a hint; `null` if it is not of this tenant. It may have
 * expired (OpenID Connect Core, section 3.1.2.1).
 */
export async function findHintClaims(
	ctx: GenericEndpointContext,
	hint: string,
): Promise<JWTPayload | null> {
	try {
		const { payload, protectedHeader } = await compactVerify(hint, await keysOf(ctx));
		// A token for something else, such as a logout token.
		if (protectedHeader.typ !== undefined && protectedHeader.typ !== "JWT") return null;
		const claims: JWTPayload = JSON.parse(new TextDecoder().decode(payload));
		return claims.iss === ctx.context.baseURL ? claims : null;
	} catch {
		return null;
	}
}
