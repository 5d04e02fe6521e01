import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { recordDeed } from "../../audit/audit-store";
import { runInScope } from "../../context/scope";
import { requireActor } from "../../management/actor";
import { requireManagedTenant } from "../../management/managed-tenant";
import type { ResolvedOptions } from "../../options";
import { tenantError } from "../../tenant-error";
import { idSchema, namedTenantSchema } from "../../tenants/tenant";
import { requireUser } from "../../users/store";
import { deleteUserWhole } from "../../users/whole-user-deletion";
import { openapi, successAnswer } from "../openapi";

const body = z.object({
	tenantId: namedTenantSchema,
	userId: idSchema.meta({ description: "The user" }),
});

export const deleteTenantUser = (options: ResolvedOptions) =>
	createAuthEndpoint(
		"/tenant/user/delete",
		{
			method: "POST",
			body,
			metadata: {
				openapi: openapi(
					"deleteTenantUser",
					"Delete a user of a tenant with accounts and sessions",
					successAnswer,
					[
						"TENANT_ID_REQUIRED",
						"TENANT_NOT_FOUND",
						"USER_NOT_FOUND",
						"USER_NOT_DELETED",
						"TENANT_MANAGEMENT_NOT_ALLOWED",
					],
				),
			},
		},
		async (ctx) => {
			const tenant = await requireManagedTenant(ctx, options, "user:delete");
			const { id } = await requireUser(ctx, tenant, ctx.body.userId);
			const { tenantId } = tenant;
			const actor = await requireActor();
			const isDeleted = await runInScope(tenant, () =>
				deleteUserWhole(ctx.context, id, () =>
					recordDeed(ctx, { action: "user:delete", tenantId, targetId: id }, actor),
				),
			);
			if (!isDeleted) {
				// Of two callers at once, one hears what a late one would.
				await requireUser(ctx, tenant, id);
				throw tenantError("USER_NOT_DELETED");
			}
			return ctx.json({ success: true as const });
		},
	);
