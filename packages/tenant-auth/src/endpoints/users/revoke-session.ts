import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { recordAuditEvent } from "../../audit/audit-store";
import { requireManagedTenant } from "../../management/managed-tenant";
import type { ResolvedOptions } from "../../options";
import { idSchema, namedTenantSchema } from "../../tenants/tenant";
import { endSessions } from "../../users/end-sessions";
import { requireSession } from "../../users/session-store";
import { requireUser } from "../../users/store";
import { openapi, successAnswer } from "../openapi";

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
			const { tenantId } = tenant;
			const event = {
				action: "session:revoke",
				tenantId,
				targetId: id,
				detail: { sessionId },
			} as const;
			await endSessions(
				ctx.context,
				tenant,
				(sessions) => sessions.deleteSession(token),
				() => recordAuditEvent(ctx, event),
			);
			return ctx.json({ success: true as const });
		},
	);
