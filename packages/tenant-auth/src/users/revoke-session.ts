import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { audited } from "../audit/audit-store";
import { requireManagedTenant } from "../management/managed-tenant";
import { openapi, successAnswer } from "../openapi";
import type { ResolvedOptions } from "../options";
import { runInScope } from "../scope/scope";
import { idSchema, namedTenantSchema } from "../tenants/tenant";
import { requireSession } from "./session-store";
import { requireUser } from "./user-store";

const body = z.object({
	tenantId: namedTenantSchema,
	userId: idSchema.meta({ description: "The user whose session it is" }),
	sessionId: idSchema.meta({ description: "The session" }),
});

export const revokeTenantSession = (options: ResolvedOptions) =>
	createAuthEndpoint(
		"/tenant/session/revoke",
		{
			method: "POST",
			body,
			metadata: {
				openapi: openapi("revokeTenantSession", "End a session of a tenant's user", successAnswer, [
					"TENANT_ID_REQUIRED",
					"TENANT_NOT_FOUND",
					"USER_NOT_FOUND",
					"SESSION_NOT_FOUND",
					"TENANT_MANAGEMENT_NOT_ALLOWED",
				]),
			},
		},
		async (ctx) => {
			const tenant = await requireManagedTenant(ctx, options, "session:revoke");
			const { userId, sessionId } = ctx.body;
			const { id } = await requireUser(ctx, tenant, userId);
			const { token } = await requireSession(ctx.context, tenant, { userId: id, sessionId });
			await audited(
				ctx,
				() => runInScope(tenant, () => ctx.context.internalAdapter.deleteSession(token)),
				() => ({
					action: "session:revoke",
					tenantId: tenant.tenantId,
					targetId: id,
					detail: { sessionId },
				}),
			);
			return ctx.json({ success: true as const });
		},
	);
