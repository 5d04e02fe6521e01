import type { BetterAuthPlugin } from "@better-auth/core";
import { parseCookies } from "better-auth/cookies";
import { findState } from "../call/context/current-state";
import { unsignedToken } from "../call/context/presented-sessions";
import type { RequestState, TenantInstance } from "../call/context/request-state";
import { FOREIGN } from "../call/foreign";
import { type Handler, type HookContext, lightHook } from "./light-hook";
import { reportSignIns } from "./sign-in-events";

/**
 * Adds a plugin that runs after all other hooks: it looks at the cookies, and reports sign-ins.
 *
 * A cookie plugin, such as `nextCookies()`, hands the cookies to its framework in an after-hook. Better
 * Auth wants it last, and warns about any after-hook behind it. So ours comes before it.
 */
export function withCookiesKept(
	plugins: BetterAuthPlugin[],
	instance: TenantInstance,
): BetterAuthPlugin[] {
	const end =
		plugins
			.map(({ id, hooks }) => Boolean(hooks?.after?.length) && !FOREIGN.get(id)?.comesLast)
			.lastIndexOf(true) + 1;
	const keepCookies = {
		matcher: () => findRejection(instance) !== null,
		handler: lightHook(async (ctx) => keepCookiesOfRejectedSessions(ctx, instance)),
	};
	const own: BetterAuthPlugin = {
		id: "tenant-auth-last",
		hooks: { after: [keepCookies, reportSignIns(instance)] },
	};
	return [...plugins.slice(0, end), own, ...plugins.slice(end)];
}

/** An after-hook may copy the cookies to somewhere else. It must not see the deletion of kept ones. */
export function seeingKeptCookies(handler: Handler, instance: TenantInstance): Handler {
	const wrapped: Handler = (ctx) => {
		keepCookiesOfRejectedSessions(ctx as HookContext, instance);
		return handler(ctx);
	};
	return Object.assign(wrapped, handler);
}

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
