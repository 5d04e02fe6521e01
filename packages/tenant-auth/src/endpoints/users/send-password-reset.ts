import { createAuthEndpoint, requestPasswordReset } from "better-auth/api";
import * as z from "zod";
import { recordAuditEvent } from "../../audit/audit-store";
import { requireInstance, runInScope } from "../../context/request-state";
import { requireManagedTenant } from "../../management/managed-tenant";
import type { ResolvedOptions } from "../../options";
import { idSchema, namedTenantSchema } from "../../tenants/tenant";
import { requireUser } from "../../users/store";
import { dispatchCore } from "../dispatch-core";
import { openapi, successAnswer } from "../openapi";

const body = z.object({
	tenantId: namedTenantSchema,
	userId: idSchema.meta({ description: "The user" }),
	redirectTo: z
		.string()
		.max(2048)
		.meta({ description: "Where the mail's link leads to, with the token" })
		.optional(),
});

export const sendTenantPasswordReset = (options: ResolvedOptions) =>
	createAuthEndpoint(
		"/tenant/user/send-password-reset",
		{
			method: "POST",
			body,
			metadata: {
				openapi: openapi(
					"sendTenantPasswordReset",
					"Send a user of a tenant the mail with which to choose a new password",
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
			const tenant = await requireManagedTenant(ctx, options, "user:send-password-reset");
			const { id, email } = await requireUser(ctx, tenant, ctx.body.userId);
			const { redirectTo } = ctx.body;
			await runInScope(requireInstance(ctx.context), tenant, () =>
				dispatchCore(ctx, requestPasswordReset, {
					body: { email, ...(redirectTo ? { redirectTo } : {}) },
					method: "POST",
				}),
			);
			const { tenantId } = tenant;
			await recordAuditEvent(ctx, { action: "user:send-password-reset", tenantId, targetId: id });
			return ctx.json({ success: true as const });
		},
	);
