import { createAuthEndpoint } from "better-auth/api";
import { parseUserOutput } from "better-auth/db";
import * as z from "zod";
import { requireManagedTenant } from "../../management/managed-tenant";
import type { ResolvedOptions } from "../../options";
import { idSchema, namedTenantSchema } from "../../tenants/tenant";
import { toTenantSession } from "../../users/session-store";
import { listAccounts, listSessionsOf, requireUser } from "../../users/store";
import { openapi, userDetailsAnswer } from "../openapi";

const query = z.object({
	tenantId: namedTenantSchema,
	userId: idSchema.meta({ description: "The user" }),
});

export const getTenantUser = (options: ResolvedOptions) =>
	createAuthEndpoint(
		"/tenant/user/get",
		{
			method: "GET",
			query,
			metadata: {
				openapi: openapi(
					"getTenantUser",
					"A user of a tenant with accounts and sessions",
					userDetailsAnswer,
					[
						"TENANT_ID_REQUIRED",
						"TENANT_NOT_FOUND",
						"USER_NOT_FOUND",
						"TENANT_MANAGEMENT_NOT_ALLOWED",
					],
				),
			},
		},
		async (ctx) => {
			const tenant = await requireManagedTenant(ctx, options, "user:get");
			const user = await requireUser(ctx, tenant, ctx.query.userId);
			const accounts = await listAccounts(ctx.context, tenant, user.id);
			const sessions = await listSessionsOf(ctx.context, tenant, user.id);
			return ctx.json({
				user: parseUserOutput(ctx.context.options, user),
				accounts: accounts.map(({ id, providerId, accountId, createdAt }) => ({
					id,
					providerId,
					accountId,
					createdAt,
				})),
				sessions: sessions.map((session) => toTenantSession(session, user)),
			});
		},
	);
