import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { requireManagedTenant } from "../../management/managed-tenant";
import { listConfigs } from "../../oauth-clients/store";
import type { ResolvedOptions } from "../../options";
import { namedTenantSchema } from "../../tenants/tenant";
import { arrayOf, oauthConfigAnswer, openapi } from "../openapi";

const query = z.object({
	tenantId: namedTenantSchema,
});

export const listTenantOAuthConfigs = (options: ResolvedOptions) =>
	createAuthEndpoint(
		"/tenant/oauth-config/list",
		{
			method: "GET",
			query: query.optional(),
			metadata: {
				openapi: openapi(
					"listTenantOAuthConfigs",
					"List a tenant's OAuth configs, client ids decrypted, without client secrets",
					arrayOf(oauthConfigAnswer),
					[
						"TENANT_ID_REQUIRED",
						"TENANT_NOT_FOUND",
						"OAUTH_CREDENTIAL_DECRYPT_FAILED",
						"TENANT_MANAGEMENT_NOT_ALLOWED",
					],
					query,
				),
			},
		},
		async (ctx) => {
			const tenant = await requireManagedTenant(ctx, options, "oauth-config:list");
			return ctx.json(await listConfigs(ctx.context, tenant));
		},
	);
