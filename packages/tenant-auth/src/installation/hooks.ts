import type {
	BetterAuthOptions,
	BetterAuthPlugin,
	GenericEndpointContext,
} from "@better-auth/core";
import { createAuthMiddleware } from "better-auth/api";
import { parseCookies } from "better-auth/cookies";
import { currentScope } from "../context/current-scope";
import { findTokensTenantId } from "../context/email-token";
import { enterAmbientTenant } from "../context/enter-tenant";
import { dropCookies, unsignedToken } from "../context/presented-sessions";
import { headersOf } from "../context/request-headers";
import { ACROSS, findRequestScope, type RequestScope, scopeOfRow, settle } from "../context/scope";
import { findAmbientTenantId } from "../context/tenant-id";
import { admitAdministrator, isOfAdminPlugin } from "../context/visiting-administrator";
import type { ResolvedOptions } from "../options";

type Hooks = NonNullable<BetterAuthPlugin["hooks"]>;
type AfterContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

const isOurs = (path: string | undefined) => path?.startsWith("/tenant/") === true;

/** Where an OAuth state tells the tenant, whatever else the request names. */
const OAUTH_CALLBACKS = new Set(["/callback/:id", "/oauth2/callback/:providerId"]);

/** Where a request presents a token that bears its tenant. */
const MAIL_TOKEN_PATHS = new Set(["/verify-email"]);

/**
 * Where a request presents an unguessable token, of a link that was sent by mail, or of a cookie that
 * an unfinished sign-in left. Unless the request names a tenant, the token does.
 */
const TOKEN_PATHS = new Set([
	"/reset-password",
	"/reset-password/:token",
	"/magic-link/verify",
	"/one-time-token/verify",
	"/passkey/verify-authentication",
]);

/** Where it may present such a token, or else a session. */
const TOKEN_OR_SESSION_PATHS = new Set([
	"/two-factor/verify-totp",
	"/two-factor/send-otp",
	"/two-factor/verify-otp",
	"/two-factor/verify-backup-code",
]);

const BY_TOKEN = [OAUTH_CALLBACKS, MAIL_TOKEN_PATHS, TOKEN_PATHS, TOKEN_OR_SESSION_PATHS];

/** What the scope does to particular endpoints, wherever the plugin stands in the host's list. */
export const scopeHooks: Hooks = {
	before: [
		{
			matcher: ({ path }) => path === "/verify-email",
			handler: createAuthMiddleware(refuseTokenOfAnotherTenant),
		},
	],
	after: [
		{
			matcher: ({ path }) => path === "/sign-up/email",
			handler: createAuthMiddleware(answerSignUp),
		},
	],
};

/**
 * The host's options with the scope around all hooks, the host's and those of plugins. It begins
 * before the first of them, for a hook that reads the session would settle it otherwise. And cookies
 * are looked at after the last of them has set some.
 */
export function withScopeAroundHooks(
	host: BetterAuthOptions,
	options: ResolvedOptions,
): BetterAuthOptions {
	const { before, ...hooks } = host.hooks ?? {};
	const begin = {
		matcher: (ctx: object) => mustBegin(ctx as GenericEndpointContext, options),
		handler: createAuthMiddleware((ctx) => beginScope(ctx, options)),
	};
	const keepCookies = {
		matcher: () => hasRefusedSession(findRequestScope()),
		handler: createAuthMiddleware(keepRefusedSessionCookies),
	};
	const first = before ? [{ matcher: () => true, handler: before }] : [];
	return {
		...host,
		hooks,
		plugins: [
			{ id: "tenant-auth-scope", hooks: { before: [begin, ...first] } },
			...(host.plugins ?? []),
			{ id: "tenant-auth-cookies", hooks: { after: [keepCookies] } },
		],
	};
}

/**
 * Whether {@link beginScope} has anything to do. For the most frequent requests it has not, and a hook
 * that runs makes a context of its own.
 */
function mustBegin(ctx: GenericEndpointContext, options: ResolvedOptions): boolean {
	const request = findRequestScope();
	// An endpoint that another one dispatches runs in the scope of that one.
	if (!request || request.scope || request.claim || request.awaits || request.followsSession) {
		return false;
	}
	return (
		options.resolveTenantId !== undefined ||
		ctx.context.options.session?.cookieCache?.enabled === true ||
		headersOf(ctx)?.has(options.tenantHeader) === true ||
		BY_TOKEN.some((paths) => paths.has(ctx.path)) ||
		isOfAdminPlugin(ctx)
	);
}

/** Puts a call of core's or another plugin's endpoint into its scope. */
async function beginScope(ctx: GenericEndpointContext, options: ResolvedOptions): Promise<void> {
	const request = findRequestScope();
	if (!request) return;
	if (!maySeeCachedSession(ctx)) dropCachedSession(ctx);
	// Our own endpoints enter a scope themselves, whatever session there is.
	if (isOurs(ctx.path)) return;
	if (OAUTH_CALLBACKS.has(ctx.path)) {
		request.awaits = "oauth-state";
		return;
	}
	const tenantId = await findAmbientTenantId(ctx, options);
	if (tenantId) {
		await enterAmbientTenant(ctx, request, options, tenantId);
	} else if (MAIL_TOKEN_PATHS.has(ctx.path)) {
		settle(request, await scopeOfMailToken(ctx));
	} else if (TOKEN_PATHS.has(ctx.path)) {
		request.awaits = "token";
	} else if (TOKEN_OR_SESSION_PATHS.has(ctx.path)) {
		request.awaits = "token-or-session";
	}
	await admitAdministrator(ctx, request, options);
}

/** The token of a verification mail bears its tenant. */
async function scopeOfMailToken(ctx: GenericEndpointContext) {
	const token: unknown = ctx.query?.token;
	return scopeOfRow({
		tenantId: typeof token === "string" ? await findTokensTenantId(ctx, token) : null,
	});
}

/** In another tenant than its own it is worth nothing, and core hears of a token that is none. */
async function refuseTokenOfAnotherTenant(ctx: GenericEndpointContext) {
	const scope = await currentScope();
	const own = await scopeOfMailToken(ctx);
	if (scope !== ACROSS && scope.tenantId === own.tenantId) return;
	return { context: { query: { ...ctx.query, token: "a token of another tenant" } } };
}

/**
 * With `cookieCache`, core takes a session from its cookie and asks no store. That is good for asking
 * who is there. Whatever else is done with a session would go on for a tenant that was suspended or
 * deleted since: core sets the cookies of a session anew, and plugins make tokens of it.
 */
const maySeeCachedSession = ({ method, path }: GenericEndpointContext) =>
	method === "GET" && path === "/get-session";

function dropCachedSession(ctx: GenericEndpointContext): void {
	dropCookies(ctx, ctx.context.authCookies.sessionData.name);
}

const hasRefusedSession = (request: RequestScope | null) =>
	request?.refusedTokens !== undefined && !request.sessionMade;

/**
 * Core deletes the cookies of a session that it cannot find, and so do plugins. One that was merely
 * refused, because the request is in another tenant, is still good in its own. A sign-in, though,
 * takes the place of whatever session the browser had, also while its second factor is missing.
 */
async function keepRefusedSessionCookies(ctx: AfterContext): Promise<void> {
	const headers = ctx.context.responseHeaders;
	const refusedTokens = findRequestScope()?.refusedTokens;
	if (!headers || !refusedTokens) return;
	const { sessionToken, sessionData, dontRememberToken } = ctx.context.authCookies;
	const presented = parseCookies(ctx.headers?.get("cookie") ?? "");
	const isRefused = (name: string) => refusedTokens.has(unsignedToken(presented.get(name) ?? ""));
	const belongsToActive = (name: string) =>
		[sessionData.name, dontRememberToken.name].some(
			(own) => name === own || name.startsWith(`${own}.`),
		);
	const cookies = headers.getSetCookie().filter((cookie) => {
		const name = cookie.slice(0, cookie.indexOf("="));
		const isKept = isRefused(belongsToActive(name) ? sessionToken.name : name);
		return !(isKept && /;\s*max-age=0\b/i.test(cookie));
	});
	headers.delete("set-cookie");
	for (const cookie of cookies) headers.append("set-cookie", cookie);
}

/**
 * For an address that is taken, core may answer with a made-up user whose `tenantId` is the field's
 * default. It must look like a real one of this tenant, or it would tell that the address is taken.
 * And core takes the refusal of a suspended tenant for an address that is taken.
 */
async function answerSignUp(ctx: AfterContext): Promise<void> {
	const refusal = findRequestScope()?.refusal;
	if (refusal) throw refusal;
	const answer = ctx.context.returned as { user?: Record<string, unknown> } | undefined;
	if (!answer?.user || answer instanceof Error) return;
	const scope = await currentScope();
	if (scope !== ACROSS) answer.user.tenantId = scope.tenantId || null;
}
