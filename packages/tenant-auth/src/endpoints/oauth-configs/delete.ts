import * as z from "zod";
import { audited } from "../../audit/audit-store";
import { deleteConfig } from "../../oauth-clients/store";
import { idSchema, namedTenantSchema } from "../../tenants/tenant";
import { managedTenantEndpoint, successAnswer } from "../define";

export const deleteTenantOAuthConfig = managedTenantEndpoint(
	"deleteTenantOAuthConfig",
	{
		description: "Delete a tenant's OAuth config for a provider",
		body: z.object({
			tenantId: namedTenantSchema,
			providerId: idSchema.meta({ description: "The provider of the config" }),
		}),
		answer: successAnswer,
		errors: ["OAUTH_CONFIG_NOT_FOUND"],
	},
	async (ctx, tenant) => {
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
