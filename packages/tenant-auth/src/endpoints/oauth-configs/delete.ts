import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { audited } from "../../audit/audit-store";
import { requireManagedTenant } from "../../management/managed-tenant";
import { deleteConfig } from "../../oauth-clients/store";
import type { ResolvedOptions } from "../../options";
import { idSchema, namedTenantSchema } from "../../tenants/tenant";
import { openapi, successAnswer } from "../openapi";

const body = z.object({
	tenantId: namedTenantSchema,
	providerId: idSchema.meta({ description: "The provider whose config is deleted" }),
});

export const deleteTenantOAuthConfig = (options: ResolvedOptions) =>
	createAuthEndpoint(
		"/tenant/oauth-config/delete",
		{
			method: "POST",
			body,
			metadata: {
				openapi: openapi(
					"deleteTenantOAuthConfig",
					"Delete a tenant's OAuth config for a provider",
					successAnswer,
					[
						"TENANT_ID_REQUIRED",
						"TENANT_NOT_FOUND",
						"OAUTH_CONFIG_NOT_FOUND",
						"TENANT_MANAGEMENT_NOT_ALLOWED",
					],
				),
			},
		},
		async (ctx) => {
			const tenant = await requireManagedTenant(ctx, options, "oauth-config:delete");
			const { providerId } = ctx.body;
			await audited(
				ctx,
				() => deleteConfig(ctx.context, tenant, providerId),
				() => ({
					action: "oauth-config:delete",
					tenantId: tenant.tenantId,
					targetId: providerId,
				}),
			);
			return ctx.json({ success: true as const });
		},
	);
