import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { audited } from "../audit/audit-store";
import { requireManagedTenant } from "../management/managed-tenant";
import { openapi, tenantAnswer } from "../openapi";
import type { ResolvedOptions } from "../options";
import { markInStorage } from "../scope/suspension-mark";
import { namedTenantSchema, toTenant } from "../tenants/tenant";
import { requireTenant } from "../tenants/tenant-store";
import { setSuspended } from "./suspension-store";

const body = z.object({ tenantId: namedTenantSchema });

export const resumeTenant = (options: ResolvedOptions) =>
	createAuthEndpoint(
		"/tenant/resume",
		{
			method: "POST",
			body,
			metadata: {
				openapi: openapi(
					"resumeTenant",
					"End a tenant's suspension: sessions from before count again",
					tenantAnswer,
					["TENANT_ID_REQUIRED", "TENANT_NOT_FOUND", "TENANT_MANAGEMENT_NOT_ALLOWED"],
				),
			},
		},
		async (ctx) => {
			const { tenantId } = await requireManagedTenant(ctx, options, "tenant:resume");
			const changed = await audited(
				ctx,
				async () => {
					const tenant = await requireTenant(ctx.context, "id", tenantId);
					return setSuspended(ctx.context, tenant, null);
				},
				() => ({ action: "tenant:resume", tenantId }),
			);
			await markInStorage(ctx.context.options.secondaryStorage, tenantId, false);
			return ctx.json(toTenant(changed));
		},
	);
