import type { GenericEndpointContext } from "@better-auth/core";
import type { DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { expireCookie } from "better-auth/cookies";
import { requireInstance } from "../../call/context/current-state";
import { findSignedValue, headersOf } from "../../call/context/presented-sessions";
import { type InvitationRow, normalizeEmail } from "./invitation";
import { findPending, hasInviter } from "./store";

/** For clients without cookies. */
const HEADER = "x-invitation-token";
const COOKIE = "tenant_invitation";
const COOKIE_SECONDS = 15 * 60;
/** No token of ours is longer. */
const MAX_TOKEN = 128;

const cookieOf = ({ context }: GenericEndpointContext) =>
	context.createAuthCookie(COOKIE, { maxAge: COOKIE_SECONDS });

/** The browser presents the token with its next sign-up or sign-in. */
export async function setInvitationCookie(
	ctx: GenericEndpointContext,
	token: string,
): Promise<void> {
	const { name, attributes } = cookieOf(ctx);
	await ctx.setSignedCookie(name, token, ctx.context.secret, attributes);
}

/** Removes the cookie, if the request has it. */
export function dropInvitationCookie(ctx: GenericEndpointContext): void {
	const cookie = cookieOf(ctx);
	if (headersOf(ctx)?.get("cookie")?.includes(`${cookie.name}=`)) expireCookie(ctx, cookie);
}

/**
 * The token of an invitation that a request presents. To know the email of somebody who is invited is not
 * enough: the token is in the mail only.
 */
async function findPresentedToken(ctx: GenericEndpointContext): Promise<string | null> {
	const headers = headersOf(ctx);
	const token = headers?.get(HEADER) ?? (await findCookie(ctx, headers));
	return token && token.length <= MAX_TOKEN ? token : null;
}

/** Without a query. */
export const presentsInvitation = async (ctx: GenericEndpointContext): Promise<boolean> =>
	(await findPresentedToken(ctx)) !== null;

async function findCookie(
	ctx: GenericEndpointContext,
	headers: Headers | undefined,
): Promise<string | null> {
	const cookies = headers?.get("cookie");
	const { name } = cookieOf(ctx);
	// Almost no request has it, and this is in the way of every sign-up and sign-in.
	return cookies?.includes(`${name}=`) ? findSignedValue(cookies, name, ctx.context.secret) : null;
}

/**
 * The pending invitation that the running request presents, if it is one of this tenant and for this
 * email. A request without a token costs nothing.
 *
 * @param db reads rows of the tenant
 */
export async function findPresentedInvitation(
	ctx: GenericEndpointContext,
	db: Pick<DBTransactionAdapter, "findOne">,
	tenantId: string,
	email: string,
): Promise<InvitationRow | null> {
	const token = await findPresentedToken(ctx);
	if (!token) return null;
	const row = await findPending(db, token);
	// Compared here: some databases ignore case and accents.
	if (row?.tenantId !== tenantId || row.email !== normalizeEmail(email)) return null;
	const { options } = requireInstance(ctx.context);
	return (await hasInviter(db, options, row)) ? row : null;
}
