import * as z from "zod";
import { requireTestAllowed } from "../../management/access/test-limit";
import { findConfigRows } from "../../management/oauth-clients/find-configs";
import { idSchema, namedTenantSchema } from "../../management/tenants/tenant";
import { tenantError } from "../../tenant-error";
import { endpointsOf } from "../endpoints/define";
import { connectionTestSchema, testConnection } from "./connection-test";
import { OPENID_ROUTES } from "./routes";

const { managedTenantEndpoint } = endpointsOf(OPENID_ROUTES, {});

/** It asks the provider and changes nothing, so it is not in the audit log. */
export const testTenantOAuthConfig = managedTenantEndpoint(
	"testTenantOAuthConfig",
	{
		description:
			"Ask the provider of a tenant's OAuth config whether a sign-in would work, step by step and without a person",
		body: z.object({
			tenantId: namedTenantSchema,
			providerId: idSchema.meta({ description: "The provider of the config" }),
		}),
		response: connectionTestSchema,
		errors: ["OAUTH_CONFIG_NOT_FOUND"],
	},
	async (ctx, { tenantId }, options) => {
		const { providerId } = ctx.body;
		const [row] = await findConfigRows(ctx.context, tenantId, providerId);
		// MySQL ignores case and trailing spaces.
		if (row?.providerId !== providerId) throw tenantError("OAUTH_CONFIG_NOT_FOUND");
		requireTestAllowed(options, tenantId);
		return ctx.json(await testConnection(ctx.context, row));
	},
);
