import type { BetterAuthPlugin, GenericEndpointContext } from "@better-auth/core";
import { createAuthMiddleware } from "better-auth/api";
import type { VisitingAction } from "../audit/audit-event";
import { recordDeed } from "../audit/audit-store";
import { ACROSS, findRequestScope } from "../context/scope";
import { isPossibleId } from "../context/tenant-id";
import { isOfAdminPlugin } from "../context/visiting-administrator";

type Hook = NonNullable<NonNullable<BetterAuthPlugin["hooks"]>["after"]>[number];
type AfterContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** Whatever else the admin plugin offers, now or later, is taken for a change. */
const READS = new Set([
	"/admin/get-user",
	"/admin/list-users",
	"/admin/list-user-sessions",
	"/admin/has-permission",
]);

/**
 * Writes down what a platform administrator does in a tenant through the admin plugin. It comes after
 * the change and not with it, for the endpoint is the plugin's.
 */
export const recordVisitingDeeds: Hook = {
	matcher: (ctx) =>
		findRequestScope()?.visitor !== undefined &&
		!READS.has(ctx.path ?? "") &&
		isOfAdminPlugin(ctx as GenericEndpointContext),
	handler: createAuthMiddleware(recordVisitingDeed),
};

async function recordVisitingDeed(ctx: AfterContext): Promise<void> {
	const { visitor, scope } = findRequestScope() ?? {};
	if (!visitor || !scope || scope === ACROSS || !scope.tenantId) return;
	if (ctx.context.returned instanceof Error) return;
	const targetId = findTargetId(ctx);
	await recordDeed(
		ctx,
		{
			action: `admin:${ctx.path.slice(ctx.path.lastIndexOf("/") + 1)}` satisfies VisitingAction,
			tenantId: scope.tenantId,
			...(targetId ? { targetId } : {}),
		},
		{ kind: "administrator", id: visitor.userId },
	);
}

/** The user's id alone: the rest of such a body may be a password or the token of a session. */
function findTargetId(ctx: AfterContext): string | null {
	const made = ctx.context.returned as { user?: { id?: unknown } } | undefined;
	const id = ctx.body?.userId ?? (ctx.path === "/admin/create-user" ? made?.user?.id : null);
	const text = typeof id === "string" || typeof id === "number" ? String(id) : "";
	return text && isPossibleId(ctx, text) ? text : null;
}
