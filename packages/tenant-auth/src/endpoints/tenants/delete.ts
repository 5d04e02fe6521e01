import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { audited } from "../../audit/audit-store";
import { requirePossibleId } from "../../context/tenant-id";
import { requireManagement } from "../../management/authorize";
import type { ResolvedOptions } from "../../options";
import { purgeTenant } from "../../tenants/purge";
import { requireTenant, startDeletion } from "../../tenants/store";
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
			await audited(
				ctx,
				() => startDeletion(ctx.context, tenantId),
				() => ({ action: "tenant:delete", tenantId, detail: { slug: tenant.slug } }),
			);
			await purgeTenant(ctx.context, tenant);
			return ctx.json({ success: true as const });
		},
	);
