import type { BetterAuthPlugin, GenericEndpointContext } from "@better-auth/core";
import { createAuthMiddleware } from "better-auth/api";
import { decodeCookieCache, getChunkedCookie, parseCookies } from "better-auth/cookies";
import type { ResolvedOptions } from "../options";
import { currentScope } from "./current-scope";
import { requireScope } from "./enter-tenant";
import { ACROSS, findRequestScope, type RequestScope, scopeOfRow } from "./scope";
import { findAmbientTenantId } from "./tenant-id";

type Hooks = NonNullable<BetterAuthPlugin["hooks"]>;
type AfterContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

const isOurs = (path: string | undefined) => path?.startsWith("/tenant/") === true;
const isOAuthCallback = (path: string | undefined) => path === "/callback/:id";

/** Puts calls of core's and other plugins' endpoints into their scope. */
export function scopeHooks(options: ResolvedOptions): Hooks {
	return {
		before: [
			{
				matcher: ({ path }) => !isOurs(path),
				handler: createAuthMiddleware(async (ctx) => {
					const request = await findRequestScope();
					// An endpoint that another one dispatches runs in the scope of that one.
					if (!request || request.scope) return;
					if (isOAuthCallback(ctx.path)) {
						request.awaitingOAuthState = true;
						return;
					}
					if (!request.followsSession) return enterAmbientTenant(ctx, request, options);
				}),
			},
		],
		after: [
			{
				matcher: () => true,
				handler: createAuthMiddleware(keepRefusedSessionCookies),
			},
			{
				matcher: ({ path }) => path === "/sign-up/email",
				handler: createAuthMiddleware(nameTenantOfNewUser),
			},
		],
	};
}

async function enterAmbientTenant(
	ctx: GenericEndpointContext,
	request: RequestScope,
	options: ResolvedOptions,
) {
	const tenantId = await findAmbientTenantId(ctx, options);
	if (!tenantId) return;
	request.scope = await requireScope(ctx, tenantId);
	return withoutCachedSessionOfAnotherTenant(ctx, request.scope.tenantId);
}

/** With `cookieCache`, core takes a session from its cookie and asks no store: it is asked here. */
async function withoutCachedSessionOfAnotherTenant(ctx: GenericEndpointContext, tenantId: string) {
	if (!ctx.context.options.session?.cookieCache?.enabled) return;
	const { name } = ctx.context.authCookies.sessionData;
	const cached = getChunkedCookie(ctx, name);
	const payload = cached ? await decodeCookieCache(ctx, cached) : null;
	if (!payload || scopeOfRow(payload.session.session).tenantId === tenantId) return;
	const cookies = [...parseCookies(ctx.headers?.get("cookie") ?? "")]
		.filter(([cookie]) => cookie !== name && !cookie.startsWith(`${name}.`))
		.map(([cookie, value]) => `${cookie}=${value}`);
	return { context: { headers: new Headers({ cookie: cookies.join("; ") }) } };
}

/**
 * Core deletes the cookies of a session that it cannot find. One that was merely refused, because
 * the request names another tenant, is still good in its own.
 */
async function keepRefusedSessionCookies(ctx: AfterContext): Promise<void> {
	const headers = ctx.context.responseHeaders;
	if (!headers || !(await findRequestScope())?.sessionRefused) return;
	const { sessionToken, sessionData, dontRememberToken } = ctx.context.authCookies;
	const kept = [sessionToken.name, sessionData.name, dontRememberToken.name];
	const cookies = headers.getSetCookie().filter((cookie) => {
		const name = cookie.slice(0, cookie.indexOf("="));
		const isSessions = kept.some((own) => name === own || name.startsWith(`${own}.`));
		return !(isSessions && /;\s*max-age=0\b/i.test(cookie));
	});
	headers.delete("set-cookie");
	for (const cookie of cookies) headers.append("set-cookie", cookie);
}

/**
 * For an address that is taken, core may answer with a made-up user whose `tenantId` is the field's
 * default. It must look like a real one of this tenant, or it would tell that the address is taken.
 */
async function nameTenantOfNewUser(ctx: AfterContext): Promise<void> {
	const answer = ctx.context.returned as { user?: Record<string, unknown> } | undefined;
	if (!answer?.user || answer instanceof Error) return;
	const scope = await currentScope();
	if (scope !== ACROSS) answer.user.tenantId = scope.tenantId || null;
}
