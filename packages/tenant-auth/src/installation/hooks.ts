import type {
	AuthContext,
	BetterAuthOptions,
	BetterAuthPlugin,
	GenericEndpointContext,
} from "@better-auth/core";
import { addOAuthServerContext, createAuthMiddleware } from "better-auth/api";
import { admitActingAdmin, admitEndOfImpersonation } from "../context/acting-admin";
import { currentScope } from "../context/current-scope";
import {
	ambiguousTenant,
	attachState,
	findOuterState,
	inStateOf,
	requireState,
	startState,
	stateOfContext,
} from "../context/current-state";
import {
	isOurs,
	PLUGINS_WITHOUT_TOKENS,
	policyOf,
	VERIFICATIONS,
} from "../context/endpoint-policies";
import { enterTenant, enterTenantOfToken, tenantIdOfEmailToken } from "../context/gate";
import { asServerContext } from "../context/oauth-flow";
import { dropCookies, headersOf } from "../context/presented-sessions";
import type { RequestState, TenantInstance } from "../context/request-state";
import { enterTenantOfSamlFlow, hasSamlAnswer } from "../context/saml-flow";
import { PLATFORM, tenantIdIn, tenantIdOf } from "../context/tenant";
import { findAmbientTenantId } from "../context/tenant-id";
import type { ResolvedOptions } from "../options";
import { type Handler, seeingKeptCookies, withCookiesKept } from "./session-cookies";

/**
 * Puts our hooks around those of the app and of all plugins.
 *
 * Better Auth runs the app's `hooks.before` first, then those of plugins in their order. A hook that
 * reads the session before ours would resolve the tenant by it. So ours come from a plugin that we put
 * first, and the app's own hook follows it there. `session-cookies.ts` looks at the cookies.
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
	const first = before ? [{ matcher: () => true, handler: inItsCall(before) }] : [];
	return {
		...host,
		hooks: { ...hooks, ...(hooks.after ? { after: wrapAfter(hooks.after) } : {}) },
		plugins: [
			{ id: "tenant-auth-scope", hooks: { before: [start, ...first] } },
			...withCookiesKept((host.plugins ?? []).map(withHooksInTheirCalls), instance),
		],
	};

	function wrapBefore({ id }: BetterAuthPlugin): (handler: Handler) => Handler {
		const makesSessions = id === "api-key";
		return (handler) => inItsCall(makesSessions ? withTenantInSession(handler) : handler);
	}

	function wrapAfter(handler: Handler): Handler {
		return inItsCall(seeingKeptCookies(handler, instance));
	}

	function withHooksInTheirCalls(plugin: BetterAuthPlugin): BetterAuthPlugin {
		if (!plugin.hooks) return plugin;
		const { before, after } = plugin.hooks;
		const wrap = (hooks: typeof before, around: (handler: Handler) => Handler) =>
			hooks?.map(({ matcher, handler }) => ({ matcher, handler: around(handler) }));
		return {
			...plugin,
			hooks: {
				...(before ? { before: wrap(before, wrapBefore(plugin)) } : {}),
				...(after ? { after: wrap(after, wrapAfter) } : {}),
			},
		};
	}
}

/** A hook may call `auth.api`. Better Auth does not show such a call which call it is inside of. */
function inItsCall(handler: Handler): Handler {
	const wrapped: Handler = (ctx) =>
		inStateOf((ctx as GenericEndpointContext).context, () => handler(ctx));
	return Object.assign(wrapped, handler);
}

/**
 * The api-key plugin makes a session of a key by hand, so it has none of the fields that other plugins
 * add. The session belongs to the tenant of its user.
 */
function withTenantInSession(handler: Handler): Handler {
	type Made = { user?: object; session?: Record<string, unknown> };
	type Result = { response?: Made & { context?: GenericEndpointContext } } | undefined;
	const wrapped: Handler = async (ctx) => {
		const result = (await handler(ctx)) as Result;
		const answer = result?.response;
		const made: Made | null | undefined = answer?.context?.context.session ?? answer;
		if (made?.session && made.user) made.session.tenantId = tenantIdOf(made.user) || null;
		return result;
	};
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
	const { tenantFrom, startsFlow, samlFlow, tenantInQuery } = policyOf(ctx.path);
	if (outer !== null && outer !== "ambiguous" && !isOurs(ctx.path)) {
		attachState(ctx.context, outer);
		nested.add(ctx.context);
		return mayName || hasCookieCache(ctx) || startsFlow === true;
	}
	const state = startState(ctx, instance, outer === "ambiguous" ? null : outer);
	if (outer === "ambiguous") state.refuse(ambiguousTenant(), "session", PLATFORM);
	return (
		mayName ||
		hasCookieCache(ctx) ||
		Boolean(tenantFrom ?? startsFlow ?? samlFlow ?? tenantInQuery) ||
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
): Promise<{ context: { request: Request } } | undefined> {
	const { rows, rowRequired, endsImpersonation, forwardsHeaders } = policyOf(ctx.path);
	const inherited = nested.has(ctx.context) ? requireState(ctx.context) : null;
	const startsFlow = isStartOfFlow(ctx);
	const tenantFrom = startsFlow ? undefined : policyOf(ctx.path).tenantFrom;
	const isNamedElsewhere =
		isOurs(ctx.path) ||
		tenantFrom === "oauth-state" ||
		inherited?.ignoresNamedTenant === true ||
		(!inherited && (await enterTenantOfSamlFlow(ctx, requireState(ctx.context))));
	const tenantId = isNamedElsewhere ? undefined : await findAmbientTenantId(ctx, options);
	if (tenantId !== undefined || !mayUseCookieCache(ctx)) {
		dropCookies(ctx, ctx.context.authCookies.sessionData.name);
	}
	if (isOurs(ctx.path)) return;
	const state =
		tenantId === undefined ? requireState(ctx.context) : ownState(ctx, tenantId, instance);
	if (tenantId !== undefined) {
		await enterTenant(state, tenantId);
		if (rows) state.expectRow(rows, { required: rowRequired === true });
	} else if (!inherited && tenantFrom && state.resolution.kind === "pending") {
		await awaitToken(ctx, state);
	}
	// The session of a browser does not say what an answer without a flow is about.
	else if (!inherited && hasSamlAnswer(ctx) && state.resolution.kind === "pending") {
		state.resolve(PLATFORM);
	}
	if (startsFlow) await bindFlow(ctx, instance);
	if (tenantId !== undefined && forwardsHeaders) return namingTenant(ctx, options, tenantId);
	if (!isOfAdminPlugin(ctx)) return;
	if (endsImpersonation) await admitEndOfImpersonation(ctx, state);
	else if (state.scope) await admitActingAdmin(ctx, state, options);
}

/** The endpoint calls another one with the headers of its request. That call is in the same tenant. */
function namingTenant(
	{ request }: GenericEndpointContext,
	{ tenantHeader }: ResolvedOptions,
	tenantId: string,
) {
	if (!request) return;
	const headers = new Headers(request.headers);
	headers.set(tenantHeader, tenantId);
	return { context: { request: new Request(request, { headers }) } };
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

/** A callback without a state starts a flow, as the identity provider sent the user unasked. */
function isStartOfFlow({ path, query, body }: GenericEndpointContext): boolean {
	const { startsFlow, tenantFrom } = policyOf(path);
	if (tenantFrom !== "oauth-state") return startsFlow === true;
	return startsFlow === true && query?.state === undefined && body?.state === undefined;
}

/**
 * Writes the tenant into the part of the OAuth state that no client can write. A state in a cookie has
 * no row whose tenant could decide at the callback.
 */
async function bindFlow(ctx: GenericEndpointContext, instance: TenantInstance): Promise<void> {
	const scope = await inStateOf(ctx.context, async () => currentScope(instance));
	const tenantId = tenantIdIn(scope);
	if (tenantId) await addOAuthServerContext(asServerContext({ tenantId }));
}

async function awaitToken(ctx: GenericEndpointContext, state: RequestState): Promise<void> {
	switch (policyOf(ctx.path).tenantFrom) {
		case "oauth-state":
			return state.awaitToken("oauth-state", VERIFICATIONS);
		case "token":
			return state.awaitToken("row", VERIFICATIONS);
		case "token-or-session":
			return state.awaitToken("row", VERIFICATIONS, { sessionMayDecide: true });
		case "row":
			return state.awaitToken("row", policyOf(ctx.path).rows ?? {});
		case "verification-jwt":
			await enterTenantOfToken(state, await tenantIdOfEmailToken(ctx));
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
