import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { recordAuditEvent } from "../../audit/audit-store";
import { requireManagedTenant } from "../../management/managed-tenant";
import type { ResolvedOptions } from "../../options";
import { idSchema, namedTenantSchema } from "../../tenants/tenant";
import { endSessions } from "../../users/end-sessions";
import { requireUser } from "../../users/store";
import { openapi, successAnswer } from "../openapi";

const body = z.object({
	tenantId: namedTenantSchema,
	userId: idSchema.meta({ description: "The user" }),
});

export const revokeTenantUserSessions = (options: ResolvedOptions) =>
	createAuthEndpoint(
		"/tenant/user/revoke-sessions",
		{
			method: "POST",
			body,
			metadata: {
				openapi: openapi(
					"revokeTenantUserSessions",
					"Sign a user of a tenant out everywhere",
					successAnswer,
					[
						"TENANT_ID_REQUIRED",
						"TENANT_NOT_FOUND",
						"USER_NOT_FOUND",
						"TENANT_MANAGEMENT_NOT_ALLOWED",
					],
				),
			},
		},
		async (ctx) => {
			const tenant = await requireManagedTenant(ctx, options, "user:revoke-sessions");
			const { id } = await requireUser(ctx, tenant, ctx.body.userId);
			const { tenantId } = tenant;
			await endSessions(
				ctx.context,
				tenant,
				(sessions) => sessions.deleteUserSessions(id),
				() => recordAuditEvent(ctx, { action: "user:revoke-sessions", tenantId, targetId: id }),
			);
			return ctx.json({ success: true as const });
		},
	);
