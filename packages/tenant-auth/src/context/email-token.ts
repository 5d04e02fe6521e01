import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { signJWT, verifyJWT } from "better-auth/crypto";
import { PLATFORM_ID } from "./scope";

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

/** The tenant that a token is bound to; `null` for the platform and for an invalid token. */
async function findTokenTenantId(
	ctx: GenericEndpointContext,
	token: string,
): Promise<string | null> {
	const claims = await verifyJWT<Claims>(token, ctx.context.secret);
	const tenantId = claims?.[CLAIM];
	return typeof tenantId === "string" ? tenantId : null;
}

/** The tenant that the token of a verification email is bound to. */
export async function tenantIdOfEmailToken(ctx: GenericEndpointContext): Promise<string> {
	const token: unknown = ctx.query?.token;
	const tenantId = typeof token === "string" ? await findTokenTenantId(ctx, token) : null;
	return tenantId ?? PLATFORM_ID;
}
