import * as z from "zod";
import { audited } from "../../audit/audit-store";
import { oauthConfigSchema } from "../../oauth-clients/config";
import { switchConfig } from "../../oauth-clients/store";
import { idSchema, namedTenantSchema } from "../../tenants/tenant";
import { managedTenantEndpoint } from "../define";

export const updateTenantOAuthConfig = managedTenantEndpoint(
	"updateTenantOAuthConfig",
	{
		description: "Enable or disable a tenant's OAuth config; its credentials stay",
		// Nothing that decides where the stored secret is sent. Somebody who could change the issuer and
		// keep the secret could read the secret.
		body: z.object({
			tenantId: namedTenantSchema,
			providerId: idSchema.meta({ description: "The provider of the config" }),
			enabled: z.boolean().meta({ description: "Whether sign-in uses it" }),
		}),
		answer: oauthConfigSchema,
		errors: ["OAUTH_CONFIG_NOT_FOUND", "OAUTH_CREDENTIAL_DECRYPT_FAILED"],
	},
	async (ctx, tenant) => {
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
