import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { audited } from "../../audit/audit-store";
import { requirePossibleId } from "../../context/tenant-id";
import { markInStorage } from "../../isolation/suspension-mark";
import { requireManagement } from "../../management/authorize";
import type { ResolvedOptions } from "../../options";
import { eraseTenant } from "../../tenants/purge";
import { markErasing, requireTenant } from "../../tenants/store";
import { markUsersSuspended } from "../../tenants/suspension";
import { idSchema } from "../../tenants/tenant";
import { openapi, successAnswer } from "../openapi";

const body = z.object({ tenantId: idSchema.meta({ description: "The tenant's id" }) });

export const deleteTenant = (options: ResolvedOptions) =>
	createAuthEndpoint(
		"/tenant/delete",
		{
			method: "POST",
			body,
			metadata: {
				openapi: openapi(
					"deleteTenant",
					"Delete a tenant with its users, sessions, accounts and OAuth configs",
					successAnswer,
					["TENANT_NOT_FOUND", "TENANT_MANAGEMENT_NOT_ALLOWED"],
				),
			},
		},
		async (ctx) => {
			const { tenantId } = ctx.body;
			await requireManagement(ctx, options, { action: "tenant:delete", tenantId });
			const tenant = await requireTenant(ctx.context, "id", requirePossibleId(ctx, tenantId));
			// First, so that whatever fails in between leaves the tenant closed and not open.
			await markInStorage(ctx.context.options.secondaryStorage, tenantId, true);
			await audited(
				ctx,
				async () => {
					await markErasing(ctx.context, tenantId);
					await markUsersSuspended(ctx.context, tenant, true);
				},
				() => ({ action: "tenant:delete", tenantId, detail: { slug: tenant.slug } }),
			);
			await eraseTenant(ctx.context, tenant);
			return ctx.json({ success: true as const });
		},
	);
