import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { audited } from "../../audit/audit-store";
import { requireManagedTenant } from "../../management/managed-tenant";
import { switchConfig } from "../../oauth-clients/store";
import type { ResolvedOptions } from "../../options";
import { idSchema, namedTenantSchema } from "../../tenants/tenant";
import { oauthConfigAnswer, openapi } from "../openapi";

/**
 * Only what sends the stored secret nowhere else. Whoever could change an issuer and keep the secret
 * would read it, which nobody may.
 */
const body = z.object({
	tenantId: namedTenantSchema,
	providerId: idSchema.meta({ description: "The provider whose config is changed" }),
	enabled: z.boolean().meta({ description: "Whether sign-in uses it" }),
});

export const updateTenantOAuthConfig = (options: ResolvedOptions) =>
	createAuthEndpoint(
		"/tenant/oauth-config/update",
		{
			method: "POST",
			body,
			metadata: {
				openapi: openapi(
					"updateTenantOAuthConfig",
					"Enable or disable a tenant's OAuth config; its credentials stay",
					oauthConfigAnswer,
					[
						"TENANT_ID_REQUIRED",
						"TENANT_NOT_FOUND",
						"OAUTH_CONFIG_NOT_FOUND",
						"OAUTH_CREDENTIAL_DECRYPT_FAILED",
						"TENANT_MANAGEMENT_NOT_ALLOWED",
					],
				),
			},
		},
		async (ctx) => {
			const tenant = await requireManagedTenant(ctx, options, "oauth-config:update");
			const { providerId, enabled } = ctx.body;
			const changed = await audited(
				ctx,
				() => switchConfig(ctx.context, tenant, providerId, enabled),
				() => ({
					action: "oauth-config:update",
					tenantId: tenant.tenantId,
					targetId: providerId,
					detail: { enabled },
				}),
			);
			return ctx.json(changed);
		},
	);
