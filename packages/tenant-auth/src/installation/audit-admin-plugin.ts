import type { BetterAuthPlugin } from "@better-auth/core";
import { findState } from "../call/context/current-state";
import { rulesOf } from "../call/context/endpoint-rules";
import { ALL_TENANTS, tenantIdIn } from "../call/context/tenant";
import { isPossibleId } from "../call/context/tenant-id";
import type { AdminAction } from "../management/audit/audit-event";
import { recordAuditEvent } from "../management/audit/audit-store";
import { type HookContext, lightHook } from "./light-hook";
import { isOfAdminPlugin } from "./resolve-tenant";

type Hook = NonNullable<NonNullable<BetterAuthPlugin["hooks"]>["after"]>[number];

/**
 * Records what a platform admin does in a tenant through the admin plugin. The event is written after
 * the change and not with it, because the endpoint belongs to the plugin. An endpoint that we do not
 * know is treated as a change.
 */
export const auditActingAdmins: Hook = {
	matcher: (ctx) =>
		Boolean(findState()?.actingAdmin) && !rulesOf(ctx.path).adminReads && isOfAdminPlugin(ctx),
	handler: lightHook(recordAdminEvent),
};

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
