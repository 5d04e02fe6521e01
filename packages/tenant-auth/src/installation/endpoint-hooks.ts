import type { BetterAuthPlugin, GenericEndpointContext } from "@better-auth/core";
import { currentScope } from "../call/context/current-scope";
import { findState } from "../call/context/current-state";
import { tenantIdOfEmailToken } from "../call/context/email-token";
import { rulesOf } from "../call/context/endpoint-rules";
import { ALL_TENANTS, tenantIdIn } from "../call/context/tenant";
import { isPossibleId } from "../call/context/tenant-id";
import { REFRESH_TOKENS } from "../call/foreign";
import { endTokens } from "../isolation/ended-grants";
import { rawAdapterOf } from "../isolation/raw-adapter";
import type { AdminAction } from "../management/audit/audit-event";
import { recordAuditEvent } from "../management/audit/audit-store";
import { type HookContext, lightHook } from "./light-hook";
import { isOfAdminPlugin } from "./resolve-tenant";

type Hooks = NonNullable<BetterAuthPlugin["hooks"]>;

/** Hooks of single endpoints. They work wherever the plugin is in the app's list. */
export const endpointHooks: Hooks = {
	before: [
		{
			matcher: ({ path }) => rulesOf(path).tenantFrom === "verification-jwt",
			handler: lightHook(rejectTokenOfOtherTenant),
		},
	],
	after: [
		{
			matcher: ({ path }) => rulesOf(path).hashesInTransaction === true,
			handler: lightHook(completeSignUpResponse),
		},
		{
			matcher: ({ path }) => rulesOf(path).tenantFrom === "row",
			handler: lightHook(throwRefusal),
		},
		{
			matcher: ({ path }) => rulesOf(path).endsOtherSessions === true,
			handler: lightHook(endOtherGrants),
		},
		{
			// An endpoint of the admin plugin that we do not know is treated as a change.
			matcher: (ctx) =>
				Boolean(findState()?.actingAdmin) && !rulesOf(ctx.path).adminReads && isOfAdminPlugin(ctx),
			handler: lightHook(recordAdminEvent),
		},
	],
};

/** A token of another tenant is replaced by an invalid one, so that core returns `INVALID_TOKEN`. */
async function rejectTokenOfOtherTenant(ctx: GenericEndpointContext) {
	const scope = await currentScope();
	if (scope !== ALL_TENANTS && scope.tenantId === (await tenantIdOfEmailToken(ctx))) return;
	return { context: { query: { ...ctx.query, token: "a token of another tenant" } } };
}

/**
 * If an email is taken, core may return a made-up user whose `tenantId` is the field's default. It must
 * look like a real user of this tenant, or it would reveal that the email is taken. And core takes
 * the refusal of a tenant that was suspended meanwhile for an email that is taken.
 */
async function completeSignUpResponse(ctx: HookContext): Promise<void> {
	const rejection = findState()?.signUpRejection;
	if (rejection) throw rejection;
	const response = ctx.context.returned as { user?: Record<string, unknown> } | undefined;
	if (!response?.user || response instanceof Error) return;
	const scope = await currentScope();
	if (scope !== ALL_TENANTS) response.user.tenantId = tenantIdIn(scope);
}

/**
 * A webhook of a suspended tenant, or of another tenant than the request names, changes nothing. The
 * Stripe plugin catches that error and returns 200. Stripe repeats an event only if the response is an
 * error, so a payment would be lost.
 */
async function throwRefusal(ctx: HookContext): Promise<void> {
	const resolution = findState()?.resolution;
	const isError = ctx.context.returned instanceof Error;
	if (resolution?.kind === "refused" && !isError) throw resolution.error;
}

/**
 * Core ends the sessions that it finds. Tokens whose session has expired before came from another session
 * too.
 */
async function endOtherGrants({ context }: HookContext): Promise<void> {
	const { returned, session, adapter, tables } = context;
	if (returned instanceof Error || !session || !(REFRESH_TOKENS in tables)) return;
	await adapter.transaction((trx) =>
		endTokens(trx, rawAdapterOf(trx), [
			{ field: "userId", value: session.user.id },
			{ field: "sessionId", value: null },
		]),
	);
}

/**
 * Records what a platform admin does in a tenant through the admin plugin. The event is written after
 * the change and not with it, because the endpoint belongs to the plugin.
 */
async function recordAdminEvent(ctx: HookContext): Promise<void> {
	const state = findState();
	const tenantId = tenantIdIn(state?.scope ?? ALL_TENANTS);
	if (!state?.actingAdmin || tenantId === null) return;
	if (ctx.context.returned instanceof Error) return;
	const targetId = findTargetId(ctx);
	await recordAuditEvent(
		ctx,
		{
			action: `admin:${ctx.path.slice(ctx.path.lastIndexOf("/") + 1)}` satisfies AdminAction,
			tenantId,
			...(targetId ? { targetId } : {}),
		},
		{ kind: "administrator", id: state.actingAdmin.userId },
	);
}

/** Only the user's id: the rest of such a body may be a password or a session token. */
function findTargetId(ctx: HookContext): string | null {
	const created: { user?: { id?: unknown } } | undefined = Object(ctx.context.returned);
	const id = ctx.body?.userId ?? (rulesOf(ctx.path).adminCreatesUser ? created?.user?.id : null);
	const text = typeof id === "string" || typeof id === "number" ? String(id) : "";
	return text && isPossibleId(ctx.context.options, text) ? text : null;
}
