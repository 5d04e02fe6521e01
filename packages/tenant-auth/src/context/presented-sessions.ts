import type { GenericEndpointContext } from "@better-auth/core";
import { parseCookies } from "better-auth/cookies";
import { findBearerToken, headersOf } from "./request-headers";
import type { FoundSession } from "./scope";

/** A signed value is `<value>.<signature>`; a session token itself has no dot. */
export function unsignedToken(cookie: string): string {
	const value = decoded(cookie);
	const dot = value.lastIndexOf(".");
	return dot > 0 ? value.slice(0, dot) : value;
}

function decoded(value: string): string {
	try {
		return decodeURIComponent(value);
	} catch {
		return value;
	}
}

/**
 * The session tokens that a request presents, as cookie or bearer token.
 *
 * The signature is not checked here: whoever knows the token knows the session, and all that is
 * learned from it is in which tenant to work. Core checks it before it trusts the session.
 */
export function findPresentedSessionTokens(ctx: GenericEndpointContext): string[] {
	const cookie = headersOf(ctx)?.get("cookie");
	const value = cookie && parseCookies(cookie).get(ctx.context.authCookies.sessionToken.name);
	const bearer = findBearerToken(ctx);
	return [value, ctx.context.hasPlugin("bearer") ? bearer : undefined]
		.filter((presented) => typeof presented === "string")
		.map(unsignedToken);
}

/**
 * The session of a presented token, as far as the current scope sees it. Not every text that is
 * presented as a token can be looked up: some stores throw.
 */
export async function findPresentedSession(
	ctx: GenericEndpointContext,
	token: string,
): Promise<FoundSession | null> {
	return ctx.context.internalAdapter.findSession(token).catch(() => null);
}

/** As {@link findPresentedSession}, if it has not expired. */
export async function findLiveSession(
	ctx: GenericEndpointContext,
	token: string,
): Promise<FoundSession | null> {
	const found = await findPresentedSession(ctx, token);
	return found && found.session.expiresAt > new Date() ? found : null;
}

/** Takes cookies, and the chunks of them, out of a call. Its headers are its own copy, which all hooks share. */
export function dropCookies(ctx: GenericEndpointContext, ...names: string[]): void {
	const presented = ctx.headers?.get("cookie");
	if (!presented) return;
	// As they came: not every value can stand in a header once it is decoded.
	const cookies = presented.split(";").filter((cookie) => {
		const presentedName = cookie.slice(0, cookie.indexOf("=")).trim();
		return !names.some((name) => presentedName === name || presentedName.startsWith(`${name}.`));
	});
	ctx.headers?.set("cookie", cookies.join(";"));
}
