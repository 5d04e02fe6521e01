import type {
	AuthContext,
	BetterAuthOptions,
	BetterAuthPlugin,
	GenericEndpointContext,
} from "@better-auth/core";
import { createAuthMiddleware } from "better-auth/api";
import { parseCookies } from "better-auth/cookies";
import { admitActingAdmin, admitEndOfImpersonation } from "../context/acting-admin";
import {
	ambiguousTenant,
	attachState,
	findOuterState,
	findState,
	inStateOf,
	requireState,
	startState,
	stateOfContext,
} from "../context/current-state";
import { isOurs, PLUGINS_WITHOUT_TOKENS, policyOf } from "../context/endpoint-policies";
import { enterTenant, enterTenantOfToken, tenantIdOfEmailToken } from "../context/gate";
import { enterTenantOfOAuthClient } from "../context/oauth-provider-tenant";
import { dropCookies, headersOf, unsignedToken } from "../context/presented-sessions";
import type { RequestState, TenantInstance } from "../context/request-state";
import { PLATFORM, tenantIdIn } from "../context/tenant";
import { findAmbientTenantId } from "../context/tenant-id";
import type { ResolvedOptions } from "../options";

type Hooks = NonNullable<BetterAuthPlugin["hooks"]>;
type AfterContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/**
 * Puts our hooks around those of the app and of all plugins.
 *
 * Better Auth runs the app's `hooks.before` first, then those of plugins in their order. A hook that
 * reads the session before ours would resolve the tenant by it. So ours come from a plugin that we put
 * first, and the app's own hook follows it there. Cookies are looked at after the last hook, by a
 * plugin that we put last.
 */
export function withHooksAround(
	host: BetterAuthOptions,
	options: ResolvedOptions,
	instance: TenantInstance,
): BetterAuthOptions {
	const { before, ...hooks } = host.hooks ?? {};
	const start = {
		matcher: (ctx: object) => startCall(ctx as GenericEndpointContext, options, instance),
		handler: createAuthMiddleware((ctx) => resolveNamedTenant(ctx, options, instance)),
	};
	const keepCookies = {
		matcher: () => {
			const state = findState(instance);
			return state?.hasRejectedSessions === true && !state.sessionCreated;
		},
		handler: createAuthMiddleware(keepCookiesOfRejectedSessions),
	};
	const first = before ? [{ matcher: () => true, handler: inItsCall(before) }] : [];
	return {
		...host,
		hooks: { ...hooks, ...(hooks.after ? { after: inItsCall(hooks.after) } : {}) },
		plugins: [
			{ id: "tenant-auth-scope", hooks: { before: [start, ...first] } },
			...(host.plugins ?? []).map(withHooksInTheirCalls),
			{ id: "tenant-auth-cookies", hooks: { after: [keepCookies] } },
		],
	};
}

function withHooksInTheirCalls(plugin: BetterAuthPlugin): BetterAuthPlugin {
	if (!plugin.hooks) return plugin;
	const { before, after } = plugin.hooks;
	const wrap = (hooks: typeof before) =>
		hooks?.map(({ matcher, handler }) => ({ matcher, handler: inItsCall(handler) }));
	return {
		...plugin,
		hooks: {
			...(before ? { before: wrap(before) } : {}),
			...(after ? { after: wrap(after) } : {}),
		},
	};
}

type Handler = NonNullable<Hooks["before"]>[number]["handler"];

/** A hook may call `auth.api`. Better Auth does not show such a call which call it is inside of. */
function inItsCall(handler: Handler): Handler {
	const wrapped: Handler = (ctx) =>
		inStateOf((ctx as GenericEndpointContext).context, () => handler(ctx));
	return Object.assign(wrapped, handler);
}

/** Contexts of calls that started with the state of the request around them. */
const nested = new WeakSet<AuthContext>();

/**
 * Gives a call its state, and says whether {@link resolveNamedTenant} has anything to do. For the most
 * frequent requests it has not, and a hook that runs costs a context of its own.
 *
 * A call that another endpoint dispatches runs as a part of that one and has its state already. A call
 * of `auth.api` inside of a request starts with the state of the request. Our own endpoints resolve
 * their tenant themselves, in a state of their own.
 */
function startCall(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
	instance: TenantInstance,
): boolean {
	if (stateOfContext(ctx.context)) return false;
	const outer = findOuterState(instance);
	const mayName =
		options.resolveTenantId !== undefined || headersOf(ctx)?.has(options.tenantHeader) === true;
	if (outer !== null && outer !== "ambiguous" && !isOurs(ctx.path)) {
		attachState(ctx.context, outer);
		nested.add(ctx.context);
		return mayName || hasCookieCache(ctx);
	}
	const state = startState(ctx, instance, outer === "ambiguous" ? null : outer);
	if (outer === "ambiguous") state.refuse(ambiguousTenant(), "session", PLATFORM);
	return (
		mayName ||
		hasCookieCache(ctx) ||
		policyOf(ctx.path).tenantFrom !== undefined ||
		isOfAdminPlugin(ctx)
	);
}

const hasCookieCache = ({ context }: GenericEndpointContext) =>
	context.options.session?.cookieCache?.enabled === true;

/** Puts a call of core's or another plugin's endpoint into the tenant that it names. */
async function resolveNamedTenant(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
	instance: TenantInstance,
): Promise<void> {
	const { tenantFrom, endsImpersonation } = policyOf(ctx.path);
	const inherited = nested.has(ctx.context) ? requireState(ctx.context) : null;
	const isNamedElsewhere =
		isOurs(ctx.path) || tenantFrom === "oauth-state" || inherited?.ignoresNamedTenant === true;
	const tenantId = isNamedElsewhere ? undefined : await findAmbientTenantId(ctx, options);
	if (tenantId !== undefined || !mayUseCookieCache(ctx)) {
		dropCookies(ctx, ctx.context.authCookies.sessionData.name);
	}
	if (isOurs(ctx.path)) return;
	const state =
		tenantId === undefined ? requireState(ctx.context) : ownState(ctx, tenantId, instance);
	if (tenantId !== undefined) await enterTenant(state, tenantId);
	else if (!inherited && tenantFrom && state.resolution.kind === "pending") {
		await awaitToken(ctx, state);
	}
	if (!isOfAdminPlugin(ctx)) return;
	if (endsImpersonation) await admitEndOfImpersonation(ctx, state);
	else if (state.scope) await admitActingAdmin(ctx, state, options);
}

/**
 * A call of `auth.api` inside of a request may name another tenant than the request's. Then it runs in
 * a state of its own, and leaves that of the request as it is.
 */
function ownState(
	ctx: GenericEndpointContext,
	tenantId: string,
	instance: TenantInstance,
): RequestState {
	const attached = requireState(ctx.context);
	const isSame = attached.scope !== null && tenantIdIn(attached.scope) === tenantId;
	if (!nested.has(ctx.context) || isSame) return attached;
	return startState(ctx, instance, attached);
}

async function awaitToken(ctx: GenericEndpointContext, state: RequestState): Promise<void> {
	switch (policyOf(ctx.path).tenantFrom) {
		case "oauth-state":
			return state.awaitToken("oauth-state");
		case "token":
			return state.awaitToken("email-link");
		case "token-or-session":
			return state.awaitToken("email-link", { sessionMayDecide: true });
		case "verification-jwt":
			return enterTenantOfToken(state, await tenantIdOfEmailToken(ctx));
		case "oauth-client":
			return enterTenantOfOAuthClient(ctx, state);
		case "access-token":
			// One that is not a JWT names no client. Its row decides, when the plugin looks it up.
			state.awaitToken("access-token");
			return enterTenantOfOAuthClient(ctx, state);
	}
}

/** Whether the called endpoint belongs to Better Auth's admin plugin. */
export function isOfAdminPlugin(ctx: { context?: AuthContext; path?: string }): boolean {
	const { context, path } = ctx;
	const plugin = context?.options.plugins?.find(({ id }) => id === "admin");
	return Object.values(plugin?.endpoints ?? {}).some((endpoint) => endpoint.path === path);
}

/**
 * With `cookieCache`, core takes a session from its cookie and asks no store. That is fine to tell who
 * is signed in. For everything else it would keep a session alive whose tenant was suspended or deleted
 * since: core sets the session's cookies again, and plugins make tokens of it.
 */
function mayUseCookieCache(ctx: GenericEndpointContext): boolean {
	if (ctx.method !== "GET" || !policyOf(ctx.path).readsSession) return false;
	return !ctx.context.options.plugins?.some(
		({ id, hooks }) =>
			!id.startsWith("tenant-auth") &&
			!PLUGINS_WITHOUT_TOKENS.has(id) &&
			hooks?.after?.some(({ matcher }) => matcher(ctx)),
	);
}

/**
 * Core deletes the cookies of a session that it cannot find, and so do plugins. A session that was only
 * rejected, because the request is in another tenant, is still valid in its own. But a sign-in replaces
 * whatever session the browser had, also while its second factor is missing.
 */
async function keepCookiesOfRejectedSessions(ctx: AfterContext): Promise<void> {
	const headers = ctx.context.responseHeaders;
	const state = findState();
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
