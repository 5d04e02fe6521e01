import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { addOAuthServerContext } from "better-auth/api";
import { admitActingAdmin, admitEndOfImpersonation } from "../call/context/acting-admin";
import { currentScope } from "../call/context/current-scope";
import {
	addNotes,
	ambiguousTenant,
	attachState,
	findOuterState,
	inStateOf,
	notesOf,
	requireState,
	startState,
	stateOfContext,
} from "../call/context/current-state";
import { tenantIdOfEmailToken } from "../call/context/email-token";
import { isOurPlugin, isOurs, rulesOf, VERIFICATIONS } from "../call/context/endpoint-rules";
import { enterTenant, enterTenantOfToken } from "../call/context/gate";
import { leadMagicLink } from "../call/context/host-links";
import { isValidAt } from "../call/context/impersonation";
import { asServerContext } from "../call/context/oauth-flow";
import {
	dropCookies,
	findPresentedSessionTokens,
	headersOf,
} from "../call/context/presented-sessions";
import { enterTenantOfMessage, enterTenantOfPublicId } from "../call/context/protocols";
import type { RequestState, TenantInstance } from "../call/context/request-state";
import { PLATFORM, PLATFORM_ID, tenantIdIn } from "../call/context/tenant";
import { findHost } from "../call/context/tenant-hosts";
import { findAmbientTenantId, findTenantIdOfHost } from "../call/context/tenant-id";
import { FOREIGN } from "../call/foreign";
import { failFlow } from "../management/oauth-clients/failed-flows";
import { isCodeOfOtherFlow } from "../management/oauth-clients/sent-codes";
import type { ResolvedOptions } from "../options";
import { limitOrigins } from "./trusted-origins";

/**
 * Gives a call its state, and says whether {@link resolveNamedTenant} has anything to do. For the most
 * frequent requests it has not, and a hook that runs costs a context of its own.
 *
 * A call that another endpoint dispatches runs as a part of that one and has its state already. A call
 * of `auth.api` inside of a request starts with the state of the request. Our own endpoints resolve
 * their tenant themselves, in a state of their own.
 */
export function startCall(ctx: GenericEndpointContext, instance: TenantInstance): boolean {
	const { options } = instance;
	if (stateOfContext(ctx.context)) {
		dropImpersonation(ctx, options);
		return false;
	}
	const outer = findOuterState(instance);
	const mayName =
		options.hosts !== undefined ||
		options.resolveTenantId !== undefined ||
		(!isOurs(ctx.path) && headersOf(ctx)?.has(options.tenantHeader) === true);
	const { startsFlow } = rulesOf(ctx.path);
	if (outer !== null && outer !== "ambiguous" && !isOurs(ctx.path)) {
		attachState(ctx.context, outer);
		addNotes(ctx.context, { isNested: true });
		return mayName || hasCookieCache(ctx) || startsFlow === true;
	}
	const state = startState(ctx, instance, outer === "ambiguous" ? null : outer);
	if (outer === "ambiguous") state.refuse(ambiguousTenant(), "session", PLATFORM);
	return mayName || hasCookieCache(ctx) || !needsOnlyName(ctx);
}

/** The state of the request around a call, if the call started with that one. */
function findInheritedState(ctx: AuthContext): RequestState | null {
	return notesOf(ctx).isNested ? requireState(ctx) : null;
}

/** A call that another one dispatches gets its session from there, and looks it up no more. */
function dropImpersonation({ context, path }: GenericEndpointContext, options: ResolvedOptions) {
	const { session } = context;
	if (session && !isValidAt(session.session, path, options.impersonationPaths)) {
		context.session = null;
	}
}

/** Whether a call is in the tenant that it names, and there is nothing else to find out. */
export function needsOnlyName(ctx: GenericEndpointContext): boolean {
	const { tenantFrom, startsFlow, messages, tenantInQuery } = rulesOf(ctx.path);
	return !(tenantFrom ?? startsFlow ?? messages ?? tenantInQuery) && !isOfAdminPlugin(ctx);
}

const hasCookieCache = ({ context }: GenericEndpointContext) =>
	context.options.session?.cookieCache?.enabled === true;

/** Puts a call of core's or another plugin's endpoint into the tenant that it names. */
export async function resolveNamedTenant(
	ctx: GenericEndpointContext,
	instance: TenantInstance,
): Promise<{ context: { request: Request } } | undefined> {
	const { options } = instance;
	const { rows, rowRequired, messages, sharesCodes, ...rules } = rulesOf(ctx.path);
	const inherited = findInheritedState(ctx.context);
	if (options.hosts) await keepToHost(ctx, options, inherited);
	const startsFlow = isStartOfFlow(ctx);
	const tenantFrom = startsFlow ? undefined : rules.tenantFrom;
	if (isOurs(ctx.path) || tenantFrom === "oauth-state") await refuseForApp(ctx, options);
	if (sharesCodes && (await isCodeOfOtherFlow(ctx))) await failFlow(ctx, "invalid_code");
	const isNamedElsewhere =
		isOurs(ctx.path) ||
		tenantFrom === "oauth-state" ||
		inherited?.ignoresNamedTenant === true ||
		(!inherited && (await enterTenantOfMessage(ctx, requireState(ctx.context))));
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
	// The session of a browser does not say what a response without a flow is about.
	else if (!inherited && messages?.isResponse(ctx) && state.resolution.kind === "pending") {
		state.resolve(PLATFORM);
	}
	if (startsFlow) await bindFlow(ctx, instance);
	if (rules.mailsLink && state.scope) await leadMagicLink(ctx, tenantIdIn(state.scope));
	if (tenantId !== undefined && rules.forwardsHeaders) return namingTenant(ctx, options, tenantId);
	if (!isOfAdminPlugin(ctx)) return;
	if (rules.endsImpersonation) await admitEndOfImpersonation(ctx, state);
	else if (state.scope) await admitActingAdmin(ctx, state, options);
}

/** Where another source names the tenant, the app can still refuse a request, and the host applies. */
async function refuseForApp(ctx: GenericEndpointContext, options: ResolvedOptions): Promise<void> {
	// Server code that passes no headers is trusted.
	if (!headersOf(ctx)) return;
	const tenantId = await findTenantIdOfHost(ctx, options);
	if (tenantId !== null) requireState(ctx.context).bindToHost(tenantId);
}

/**
 * With tenants by host name, a call keeps to its host: origins and redirects, and what a SAML message
 * names. And a session must not be valid without a host: the headers may have come to that of another
 * tenant. Server code made them, so this is not an error of a client.
 */
async function keepToHost(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
	inherited: RequestState | null,
): Promise<void> {
	if (findHost(ctx) !== null) {
		await limitOrigins(ctx.context, ctx.request);
		if (!inherited && rulesOf(ctx.path).messages) await refuseForApp(ctx, options);
		return;
	}
	// Management does not depend on the tenant of the caller's session.
	if (inherited || isOurs(ctx.path) || headersOf(ctx)?.has(options.tenantHeader)) return;
	if (findPresentedSessionTokens(ctx).length === 0) return;
	throw new BetterAuthError(
		"tenantAuth: these headers have a session but no host, so the tenant is unknown. Pass all headers of the request.",
	);
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
	// Some servers pass an object that only inherits from Request. Its clone is a real one.
	return { context: { request: new Request(request.clone(), { headers }) } };
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
	if (!notesOf(ctx.context).isNested || isSame) return attached;
	return startState(ctx, instance, attached);
}

/** A callback without a state starts a flow, as the identity provider sent the user unasked. */
function isStartOfFlow({ path, query, body }: GenericEndpointContext): boolean {
	const { startsFlow, tenantFrom } = rulesOf(path);
	if (tenantFrom !== "oauth-state") return startsFlow === true;
	return startsFlow === true && query?.state === undefined && body?.state === undefined;
}

/**
 * Writes the tenant into the part of the OAuth state that no client can write. A state in a cookie has
 * no row whose tenant could decide at the callback.
 */
async function bindFlow(ctx: GenericEndpointContext, instance: TenantInstance): Promise<void> {
	const scope = await inStateOf(ctx.context, async () => currentScope(instance));
	const tenantId = tenantIdIn(scope) ?? PLATFORM_ID;
	await addOAuthServerContext(asServerContext({ tenantId }));
}

async function awaitToken(ctx: GenericEndpointContext, state: RequestState): Promise<void> {
	switch (rulesOf(ctx.path).tenantFrom) {
		case "oauth-state":
			return state.awaitToken("oauth-state", VERIFICATIONS);
		case "token":
			return state.awaitToken("row", VERIFICATIONS);
		case "token-or-session":
			return state.awaitToken("row", VERIFICATIONS, { sessionMayDecide: true });
		case "row":
			return state.awaitToken("row", rulesOf(ctx.path).rows ?? {});
		case "verification-jwt":
			return enterTenantOfToken(state, await tenantIdOfEmailToken(ctx));
		case "public-id":
			return enterTenantOfPublicId(ctx, state);
	}
}

/** Whether the called endpoint belongs to Better Auth's admin plugin. */
export function isOfAdminPlugin(ctx: { context?: AuthContext; path?: string }): boolean {
	const { context, path } = ctx;
	const plugin = context?.options.plugins?.find(({ id }) => FOREIGN.get(id)?.actsInTenants);
	return Object.values(plugin?.endpoints ?? {}).some((endpoint) => endpoint.path === path);
}

/**
 * With `cookieCache`, core takes a session from its cookie and asks no store. That is fine to say who
 * is signed in. For everything else it would keep a session alive whose tenant was suspended or deleted
 * since: core sets the session's cookies again, and plugins make tokens of it.
 */
function mayUseCookieCache(ctx: GenericEndpointContext): boolean {
	if (ctx.method !== "GET" || !rulesOf(ctx.path).readsSession) return false;
	return !ctx.context.options.plugins?.some(
		(plugin) =>
			!isOurPlugin(plugin) &&
			!FOREIGN.get(plugin.id)?.makesNoTokens &&
			plugin.hooks?.after?.some(({ matcher }) => matcher(ctx)),
	);
}
