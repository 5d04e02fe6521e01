import * as z from "zod";
import {
	effectiveProviderSchema,
	listEffectiveProviders,
} from "../../oauth-clients/effective-providers";
import { namedTenantSchema } from "../../tenants/tenant";
import { managedTenantEndpoint } from "../define";

export const effectiveTenantOAuthConfigs = managedTenantEndpoint(
	"effectiveTenantOAuthConfigs",
	{
		description:
			"For each provider: whose client a tenant's sign-in uses, why, and its last failure",
		query: z.object({ tenantId: namedTenantSchema }).optional(),
		answer: z.array(effectiveProviderSchema),
	},
	async (ctx, { tenantId }) => ctx.json(await listEffectiveProviders(ctx.context, tenantId)),
);
