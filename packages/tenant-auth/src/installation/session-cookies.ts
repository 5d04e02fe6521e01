import { parseCookies } from "better-auth/cookies";
import { findState } from "../call/context/current-state";
import { unsignedToken } from "../call/context/presented-sessions";
import type { RequestState, TenantInstance } from "../call/context/request-state";
import { type Handler, type HookContext, lightHook, wrapHook } from "./light-hook";

/** Looks at the cookies after all other hooks. */
export const keepCookies = (instance: TenantInstance) => ({
	matcher: () => findRejection(instance) !== null,
	handler: lightHook(async (ctx) => keepCookiesOfRejectedSessions(ctx, instance)),
});

/** An after-hook may copy the cookies to somewhere else. It must not see the deletion of kept ones. */
export const seeingKeptCookies = (handler: Handler, instance: TenantInstance): Handler =>
	wrapHook(handler, (ctx) => {
		keepCookiesOfRejectedSessions(ctx as HookContext, instance);
		return handler(ctx);
	});

/**
 * The state of a call that rejected a session because it belongs to another tenant. A sign-in replaces
 * whatever session the browser had, also while its second factor is missing.
 */
function findRejection(instance: TenantInstance): RequestState | null {
	const state = findState(instance);
	return state?.hasRejectedSessions && !state.sessionCreated ? state : null;
}

/**
 * Core deletes the cookies of a session that it cannot find, and so do plugins. A session that was only
 * rejected, because the request is in another tenant, is still valid in its own.
 */
function keepCookiesOfRejectedSessions(ctx: HookContext, instance: TenantInstance): void {
	const headers = ctx.context.responseHeaders;
	const state = findRejection(instance);
	if (!headers || !state) return;
	const { sessionToken, sessionData, dontRememberToken } = ctx.context.authCookies;
	const presented = parseCookies(ctx.headers?.get("cookie") ?? "");
	const isRejected = (name: string) => state.hasRejected(unsignedToken(presented.get(name) ?? ""));
	const belongsToActive = (name: string) =>
		[sessionData.name, dontRememberToken.name].some(
			(own) => name === own || name.startsWith(`${own}.`),
		);
	const cookies = headers.getSetCookie().filter((cookie) => {
		const name = cookie.slice(0, cookie.indexOf("="));
		const isKept = isRejected(belongsToActive(name) ? sessionToken.name : name);
		return !(isKept && /;\s*max-age=0\b/i.test(cookie));
	});
	headers.delete("set-cookie");
	for (const cookie of cookies) headers.append("set-cookie", cookie);
}
