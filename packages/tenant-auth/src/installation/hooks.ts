import type {
	BetterAuthOptions,
	BetterAuthPlugin,
	GenericEndpointContext,
} from "@better-auth/core";
import {
	ATTR_CONTEXT,
	ATTR_HOOK_TYPE,
	ATTR_HTTP_ROUTE,
	withSpan,
} from "@better-auth/core/instrumentation";
import { createAuthMiddleware } from "better-auth/api";
import { inStateOf } from "../call/context/current-state";
import { findImpersonator } from "../call/context/impersonation";
import type { TenantInstance } from "../call/context/request-state";
import { tenantIdOf } from "../call/context/tenant";
import { FOREIGN } from "../call/foreign";
import { type KnownUser, requireAdmittedUser } from "../isolation/session-policy";
import { isSignIn, reportSignIn } from "../management/events/report-sign-in";
import type { DatabaseCheck } from "../upgrade/start-check";
import { respondWithSession, sessionCalls } from "./get-session";
import { type Handler, type HookContext, lightHook, wrapHook } from "./light-hook";
import { limitOurRequests } from "./rate-limits";
import { needsOnlyName, resolveNamedTenant, startCall } from "./resolve-tenant";
import { keepCookies, seeingKeptCookies } from "./session-cookies";
import { sessionReadOf, withSessionRead } from "./session-read";

/**
 * Puts our hooks around those of the app and of all plugins.
 *
 * Better Auth runs the app's `hooks.before` first, then those of plugins in their order. A hook that
 * reads the session before ours would resolve the tenant by it. So ours come from a plugin that we put
 * first, and the app's own hook follows it there. `session-cookies.ts` looks at the cookies.
 */
export function withHooksAround(
	host: BetterAuthOptions,
	instance: TenantInstance,
	database: DatabaseCheck,
): BetterAuthOptions {
	const { before, ...hooks } = host.hooks ?? {};
	const check = {
		matcher: database.isOpen,
		handler: lightHook(database.requireNoProblems),
	};
	const start = {
		matcher: (ctx: object) => startCall(ctx as GenericEndpointContext, instance),
		handler: reportingRefusals(resolver(instance), instance),
	};
	const mayRespond = sessionCalls(host);
	const readSession: Handler = async (ctx) => respondWithSession(ctx as GenericEndpointContext);
	const respond = {
		matcher: (ctx: object) => mayRespond(ctx as GenericEndpointContext),
		handler: readSession,
	};
	instance.hasOtherHooks = hasHooks(host);
	const first = before
		? [
				{
					matcher: () => true,
					handler: inItsCall(withSpanOfApp(reportingRefusals(before, instance), host)),
				},
			]
		: [];
	const scope = {
		id: "tenant-auth-scope",
		onRequest: limitOurRequests(instance.options),
		hooks: { before: [check, start, respond, ...first] },
	};
	const others = withLastHooks((host.plugins ?? []).map(withHooksInTheirCalls), instance);
	return {
		...host,
		hooks: { ...hooks, ...(hooks.after ? { after: wrapAfter(hooks.after) } : {}) },
		plugins: withSessionRead([scope, ...others], sessionReadOf(instance, database)),
	};

	function wrapBefore({ id }: BetterAuthPlugin): (handler: Handler) => Handler {
		const makesSessions = FOREIGN.get(id)?.makesSessions === true;
		return (handler) =>
			inItsCall(
				reportingRefusals(makesSessions ? withUserChecked(handler, instance) : handler, instance),
			);
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
				...(after ? { after: wrap(after, (it) => wrapAfter(hidingImpersonation(it))) } : {}),
			},
		};
	}
}

/**
 * Adds a plugin that runs after all other hooks: it looks at the cookies, and reports sign-ins.
 *
 * A cookie plugin, such as `nextCookies()`, hands the cookies to its framework in an after-hook. Better
 * Auth wants it last, and warns about any after-hook behind it. So ours comes before it.
 */
function withLastHooks(plugins: BetterAuthPlugin[], instance: TenantInstance): BetterAuthPlugin[] {
	const end =
		plugins
			.map(({ id, hooks }) => Boolean(hooks?.after?.length) && !FOREIGN.get(id)?.comesLast)
			.lastIndexOf(true) + 1;
	const after = [keepCookies(instance), reportSignIns(instance)];
	return [
		...plugins.slice(0, end),
		{ id: "tenant-auth-last", hooks: { after } },
		...plugins.slice(end),
	];
}

/** The app's `resolveTenantId`, and what some endpoints need, work with a complete context. */
function resolver(instance: TenantInstance): Handler {
	const { options } = instance;
	const complete = createAuthMiddleware((ctx) => resolveNamedTenant(ctx, instance));
	if (options.resolveTenantId || options.hosts) return complete;
	const light = lightHook((ctx) => resolveNamedTenant(ctx, instance));
	return wrapHook(complete, (ctx) =>
		needsOnlyName(ctx as GenericEndpointContext) ? light(ctx) : complete(ctx),
	);
}

/** Whether the app or another plugin has any hook. */
function hasHooks({ hooks, plugins = [] }: BetterAuthOptions): boolean {
	if (hooks?.before || hooks?.after) return true;
	return plugins.some(
		({ id, hooks }) => id !== "tenant-auth" && (hooks?.before?.length || hooks?.after?.length),
	);
}

/** A hook may call `auth.api`. Better Auth does not show such a call which call it is inside of. */
function inItsCall(handler: Handler): Handler {
	return wrapHook(handler, (ctx) =>
		inStateOf((ctx as GenericEndpointContext).context, () => handler(ctx)),
	);
}

/**
 * A hook of a plugin may make something of the session, such as a token. For somebody who impersonates
 * the user, it sees none.
 */
function hidingImpersonation(handler: Handler): Handler {
	return wrapHook(handler, async (ctx) => {
		const { context } = ctx as GenericEndpointContext;
		const { session } = context;
		if (!session || !findImpersonator(session.session)) return handler(ctx);
		context.session = null;
		try {
			return await handler(ctx);
		} finally {
			context.session = session;
		}
	});
}

/**
 * A plugin that makes a session by hand, such as that of an API key, so it has none of the fields that other plugins
 * add, and nothing has checked its user. The session belongs to the tenant of its user.
 */
function withUserChecked(handler: Handler, instance: TenantInstance): Handler {
	type Made = { user?: KnownUser; session?: Record<string, unknown> };
	type Result = { response?: Made & { context?: GenericEndpointContext } } | undefined;
	return wrapHook(handler, async (ctx) => {
		const result = (await handler(ctx)) as Result;
		const response = result?.response;
		const made: Made | null | undefined = response?.context?.context.session ?? response;
		if (!made?.session || !made.user) return result;
		await requireAdmittedUser(instance, made.user);
		made.session.tenantId = tenantIdOf(made.user) || null;
		return result;
	});
}

/**
 * The app's own `hooks.before` runs as a hook of ours, and Better Auth names the span of it after us. Inside
 * of that span, it gets the one that Better Auth makes for it without this plugin.
 */
function withSpanOfApp(handler: Handler, { experimental }: BetterAuthOptions): Handler {
	if (experimental?.instrumentation?.enabled === false) return handler;
	return wrapHook(handler, (ctx) => {
		const route = (ctx as GenericEndpointContext).path ?? "/:virtual";
		const attributes = {
			[ATTR_HOOK_TYPE]: "before",
			[ATTR_HTTP_ROUTE]: route,
			[ATTR_CONTEXT]: "user",
		};
		return withSpan(`hook before ${route} user`, attributes, () => handler(ctx));
	});
}

/**
 * A hook that reports how a sign-in ended. It must run after the hooks of all plugins: the two-factor
 * plugin takes the session away in one.
 */
const reportSignIns = (instance: TenantInstance) => ({
	matcher: (ctx: { path?: string }) => isSignIn(ctx, instance),
	handler: lightHook((ctx: HookContext) => reportSignIn(ctx, instance, ctx.context.returned)),
});

/**
 * Better Auth runs no hooks after a before-hook that throws: ours, if the tenant is suspended, or one of
 * the app or of a plugin, which refuses the sign-in.
 */
function reportingRefusals(handler: Handler, instance: TenantInstance): Handler {
	return wrapHook(handler, async (ctx) => {
		try {
			return await handler(ctx);
		} catch (error) {
			const call = ctx as GenericEndpointContext;
			if (isSignIn(call, instance)) await reportSignIn(call, instance, error);
			throw error;
		}
	});
}
