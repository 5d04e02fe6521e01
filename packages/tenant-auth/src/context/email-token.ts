import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { signJWT, verifyJWT } from "better-auth/crypto";

/** The claim that binds a verification mail's token to the tenant that it was sent in. */
const CLAIM = "tenantId";

type Claims = Record<string, unknown> & { exp?: number };

/** Core's token names an address only, and the same address may live in many tenants. */
export async function bindToken(
	ctx: Pick<AuthContext, "secret">,
	token: string,
	tenantId: string,
): Promise<string> {
	const claims = await verifyJWT<Claims>(token, ctx.secret);
	if (!claims) throw new Error("The token of a verification mail cannot be read");
	const { exp = 0, iat: _, ...own } = claims;
	const secondsLeft = Math.max(exp - Math.floor(Date.now() / 1000), 1);
	return signJWT({ ...own, [CLAIM]: tenantId }, ctx.secret, secondsLeft);
}

/** The tenant that a token is bound to; `null` for the platform's, and for what is no token. */
export async function findTokensTenantId(
	ctx: GenericEndpointContext,
	token: string,
): Promise<string | null> {
	const claims = await verifyJWT<Claims>(token, ctx.context.secret);
	const tenantId = claims?.[CLAIM];
	return typeof tenantId === "string" ? tenantId : null;
}
