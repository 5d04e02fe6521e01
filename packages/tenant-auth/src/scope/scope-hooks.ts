import type { BetterAuthPlugin, GenericEndpointContext } from "@better-auth/core";
import { createAuthMiddleware } from "better-auth/api";
import { decodeCookieCache, getChunkedCookie, parseCookies } from "better-auth/cookies";
import { findTokensTenantId } from "../mails/verification-token";
import type { ResolvedOptions } from "../options";
import { currentScope } from "./current-scope";
import { requireTenantInScope } from "./enter-tenant";
import { ACROSS, findRequestScope, type RequestScope, scopeOfRow, settle } from "./scope";
import { findAmbientTenantId } from "./tenant-id";
import { admitAdministrator } from "./visiting-administrator";

type Hooks = NonNullable<BetterAuthPlugin["hooks"]>;
type AfterContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

const isOurs = (path: string | undefined) => path?.startsWith("/tenant/") === true;

/** Where an OAuth state tells the tenant, whatever else the request names. */
const OAUTH_CALLBACKS = new Set(["/callback/:id", "/oauth2/callback/:providerId"]);

/**
 * Where a request may present an unguessable token: of a link that was sent by mail, or of a cookie
 * that an unfinished sign-in left. Unless the request names a tenant, the token does.
 */
const TOKEN_PATHS = new Set([
	"/reset-password",
	"/reset-password/:token",
	"/magic-link/verify",
	"/one-time-token/verify",
	"/two-factor/verify-totp",
	"/two-factor/send-otp",
	"/two-factor/verify-otp",
	"/two-factor/verify-backup-code",
	"/passkey/verify-authentication",
]);

/** Puts calls of core's and other plugins' endpoints into their scope. */
export function scopeHooks(options: ResolvedOptions): Hooks {
	return {
		before: [
			{
				matcher: ({ path }) => !isOurs(path),
				handler: createAuthMiddleware(async (ctx) => {
					const request = await findRequestScope();
					// An endpoint that another one dispatches runs in the scope of that one.
					if (!request || request.scope || request.awaits || request.followsSession) return;
					return beginScope(ctx, request, options);
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

async function beginScope(
	ctx: GenericEndpointContext,
	request: RequestScope,
	options: ResolvedOptions,
) {
	if (OAUTH_CALLBACKS.has(ctx.path)) {
		request.awaits = "oauth-state";
		return;
	}
	const tenantId = await findAmbientTenantId(ctx, options);
	if (tenantId) {
		const { scope, tenant } = await requireTenantInScope(ctx, tenantId);
		settle(request, scope, tenant);
	} else if (TOKEN_PATHS.has(ctx.path)) {
		request.awaits = "token";
	}
	if (ctx.path === "/verify-email") return enterTokensTenant(ctx, request);
	await admitAdministrator(ctx, request, options);
	if (tenantId) return withoutCachedSessionOfAnotherTenant(ctx, tenantId);
}

/**
 * The token of a verification mail bears its tenant. In another tenant than its own it is worth
 * nothing, and core hears of a token that is none.
 */
async function enterTokensTenant(ctx: GenericEndpointContext, request: RequestScope) {
	const token: unknown = ctx.query?.token;
	const tenantId = typeof token === "string" ? await findTokensTenantId(ctx, token) : null;
	const own = scopeOfRow({ tenantId });
	if (!request.scope) settle(request, own);
	if (request.scope !== ACROSS && request.scope?.tenantId === own.tenantId) return;
	return { context: { query: { ...ctx.query, token: "a token of another tenant" } } };
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
