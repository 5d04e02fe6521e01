import type { GenericEndpointContext } from "@better-auth/core";
import { expireCookie } from "better-auth/cookies";

/**
 * Binds each step of a flow to the browser in which it started. A link with a token would otherwise sign in
 * a victim as somebody else, and a token that somebody has seen would let them in.
 */

const COOKIE = "tenant_chooser";
const COOKIE_SECONDS = 10 * 60;

const cookieOf = ({ context }: GenericEndpointContext) =>
	context.createAuthCookie(COOKIE, { maxAge: COOKIE_SECONDS });

/** The token of the next step replaces that of the last one. */
export async function bindToBrowser(ctx: GenericEndpointContext, token: string): Promise<void> {
	const { name, attributes } = cookieOf(ctx);
	await ctx.setSignedCookie(name, token, ctx.context.secret, attributes);
}

export async function isOfBrowser(ctx: GenericEndpointContext, token: string): Promise<boolean> {
	return (await ctx.getSignedCookie(cookieOf(ctx).name, ctx.context.secret)) === token;
}

export const forgetBrowser = (ctx: GenericEndpointContext): void =>
	expireCookie(ctx, cookieOf(ctx));

/** Neither a cache nor the next page gets what is in the URL or in the response. */
export function keepPrivate(ctx: GenericEndpointContext): void {
	ctx.setHeader("referrer-policy", "no-referrer");
	ctx.setHeader("cache-control", "no-store");
}
