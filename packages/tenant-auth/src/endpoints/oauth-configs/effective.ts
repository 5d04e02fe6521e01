import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { requireManagedTenant } from "../../management/managed-tenant";
import { listEffectiveProviders } from "../../oauth-clients/effective-providers";
import type { ResolvedOptions } from "../../options";
import { namedTenantSchema } from "../../tenants/tenant";
import { arrayOf, effectiveProviderAnswer, openapi } from "../openapi";

const query = z.object({ tenantId: namedTenantSchema });

export const effectiveTenantOAuthConfigs = (options: ResolvedOptions) =>
	createAuthEndpoint(
		"/tenant/oauth-config/effective",
		{
			method: "GET",
			query: query.optional(),
			metadata: {
				openapi: openapi(
					"effectiveTenantOAuthConfigs",
					"For each provider: what a tenant's sign-in would use and why, and how the last one failed",
					arrayOf(effectiveProviderAnswer),
					["TENANT_ID_REQUIRED", "TENANT_NOT_FOUND", "TENANT_MANAGEMENT_NOT_ALLOWED"],
					query,
				),
			},
		},
		async (ctx) => {
			const { tenantId } = await requireManagedTenant(ctx, options, "oauth-config:effective");
			return ctx.json(await listEffectiveProviders(ctx.context, tenantId));
		},
	);
