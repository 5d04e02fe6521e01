import type {
	BetterAuthOptions,
	BetterAuthPlugin,
	GenericEndpointContext,
} from "@better-auth/core";
import { createAuthMiddleware } from "better-auth/api";
import { inStateOf } from "../call/context/current-state";
import { findImpersonator } from "../call/context/impersonation";
import type { TenantInstance } from "../call/context/request-state";
import { tenantIdOf } from "../call/context/tenant";
import { FOREIGN } from "../call/foreign";
import type { KnownUser } from "../isolation/session-policy";
import { requireAdmittedUser } from "../isolation/session-policy";
import type { ResolvedOptions } from "../options";
import type { DatabaseCheck } from "../upgrade/start-check";
import { respondWithSession, sessionCalls } from "./get-session";
import { withSpanOfApp } from "./hook-span";
import { type Handler, lightHook } from "./light-hook";
import { limitOurRequests } from "./rate-limits";
import { needsOnlyName, resolveNamedTenant, startCall } from "./resolve-tenant";
import { seeingKeptCookies, withCookiesKept } from "./session-cookies";
import { sessionReadOf, withSessionRead } from "./session-read";
import { reportingRefusals } from "./sign-in-events";

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
	database: DatabaseCheck,
): BetterAuthOptions {
	const { before, ...hooks } = host.hooks ?? {};
	const check = {
		matcher: database.isOpen,
		handler: lightHook(database.requireNoProblems),
	};
	const start = {
		matcher: (ctx: object) => startCall(ctx as GenericEndpointContext, options, instance),
		handler: reportingRefusals(resolver(options, instance), instance),
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
		onRequest: limitOurRequests(options),
		hooks: { before: [check, start, respond, ...first] },
	};
	const others = withCookiesKept((host.plugins ?? []).map(withHooksInTheirCalls), instance);
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

/** The app's `resolveTenantId`, and what some endpoints need, work with a complete context. */
function resolver(options: ResolvedOptions, instance: TenantInstance): Handler {
	const complete = createAuthMiddleware((ctx) => resolveNamedTenant(ctx, options, instance));
	if (options.resolveTenantId || options.hosts) return complete;
	const light = lightHook((ctx) => resolveNamedTenant(ctx, options, instance));
	const handler: Handler = (ctx) =>
		needsOnlyName(ctx as GenericEndpointContext) ? light(ctx) : complete(ctx);
	return Object.assign(handler, complete);
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
	const wrapped: Handler = (ctx) =>
		inStateOf((ctx as GenericEndpointContext).context, () => handler(ctx));
	return Object.assign(wrapped, handler);
}

/**
 * A hook of a plugin may make something of the session, such as a token. For somebody who impersonates
 * the user, it sees none.
 */
function hidingImpersonation(handler: Handler): Handler {
	const wrapped: Handler = async (ctx) => {
		const { context } = ctx as GenericEndpointContext;
		const { session } = context;
		if (!session || !findImpersonator(session.session)) return handler(ctx);
		context.session = null;
		try {
			return await handler(ctx);
		} finally {
			context.session = session;
		}
	};
	return Object.assign(wrapped, handler);
}

/**
 * A plugin that makes a session by hand, such as that of an API key, so it has none of the fields that other plugins
 * add, and nothing has checked its user. The session belongs to the tenant of its user.
 */
function withUserChecked(handler: Handler, instance: TenantInstance): Handler {
	type Made = { user?: KnownUser; session?: Record<string, unknown> };
	type Result = { response?: Made & { context?: GenericEndpointContext } } | undefined;
	const wrapped: Handler = async (ctx) => {
		const result = (await handler(ctx)) as Result;
		const response = result?.response;
		const made: Made | null | undefined = response?.context?.context.session ?? response;
		if (!made?.session || !made.user) return result;
		await requireAdmittedUser(instance, made.user);
		made.session.tenantId = tenantIdOf(made.user) || null;
		return result;
	};
	return Object.assign(wrapped, handler);
}
