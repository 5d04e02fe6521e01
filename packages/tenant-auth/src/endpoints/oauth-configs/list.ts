import * as z from "zod";
import { oauthConfigSchema } from "../../oauth-clients/config";
import { listConfigs } from "../../oauth-clients/store";
import { namedTenantSchema } from "../../tenants/tenant";
import { managedTenantEndpoint } from "../define";

export const listTenantOAuthConfigs = managedTenantEndpoint(
	"listTenantOAuthConfigs",
	{
		description: "List a tenant's OAuth configs, with decrypted client ids and without secrets",
		query: z.object({ tenantId: namedTenantSchema }).optional(),
		answer: z.array(oauthConfigSchema),
		errors: ["OAUTH_CREDENTIAL_DECRYPT_FAILED"],
	},
	async (ctx, tenant) => ctx.json(await listConfigs(ctx.context, tenant)),
);
