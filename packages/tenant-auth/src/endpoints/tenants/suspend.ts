import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { requireManagedTenant } from "../../management/managed-tenant";
import type { ResolvedOptions } from "../../options";
import { changeSuspension } from "../../tenants/suspension";
import { namedTenantSchema, toTenant } from "../../tenants/tenant";
import { openapi, tenantAnswer } from "../openapi";

const body = z.object({ tenantId: namedTenantSchema });

export const suspendTenant = (options: ResolvedOptions) =>
	createAuthEndpoint(
		"/tenant/suspend",
		{
			method: "POST",
			body,
			metadata: {
				openapi: openapi(
					"suspendTenant",
					"Suspend a tenant: nobody signs in and no session counts until it is resumed",
					tenantAnswer,
					["TENANT_ID_REQUIRED", "TENANT_NOT_FOUND", "TENANT_MANAGEMENT_NOT_ALLOWED"],
				),
			},
		},
		async (ctx) => {
			const { tenantId } = await requireManagedTenant(ctx, options, "tenant:suspend");
			return ctx.json(toTenant(await changeSuspension(ctx, tenantId, "suspend")));
		},
	);
