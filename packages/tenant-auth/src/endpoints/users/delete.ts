import { APIError } from "@better-auth/core/error";
import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { recordAuditEvent } from "../../audit/audit-store";
import { requireInstance, runInScope } from "../../context/request-state";
import { TENANT_AUTH_ERROR_CODES } from "../../error-codes";
import { requireManagedTenant } from "../../management/managed-tenant";
import type { ResolvedOptions } from "../../options";
import { idSchema, namedTenantSchema } from "../../tenants/tenant";
import { deleteUserAtomically } from "../../users/delete-user";
import { requireUser } from "../../users/store";
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
			const isDeleted = await runInScope(requireInstance(ctx.context), tenant, () =>
				deleteUserAtomically(ctx.context, id, () =>
					recordAuditEvent(ctx, { action: "user:delete", tenantId, targetId: id }),
				),
			);
			if (!isDeleted) {
				// Of two callers at once, one hears what a late one would.
				await requireUser(ctx, tenant, id);
				throw APIError.from("CONFLICT", TENANT_AUTH_ERROR_CODES.USER_NOT_DELETED);
			}
			return ctx.json({ success: true as const });
		},
	);
