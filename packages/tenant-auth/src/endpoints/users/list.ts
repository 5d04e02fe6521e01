import { createAuthEndpoint } from "better-auth/api";
import { parseUserOutput } from "better-auth/db";
import * as z from "zod";
import { requireManagedTenant } from "../../management/managed-tenant";
import type { ResolvedOptions } from "../../options";
import { namedTenantSchema } from "../../tenants/tenant";
import { listUsers } from "../../users/store";
import { openapi, usersAnswer } from "../openapi";
import { pageFields, searchSchema } from "../pagination";

const query = z.object({
	tenantId: namedTenantSchema,
	...pageFields,
	search: searchSchema.meta({ description: "A part of the name or of the address" }).optional(),
});

export const listTenantUsers = (options: ResolvedOptions) =>
	createAuthEndpoint(
		"/tenant/user/list",
		{
			method: "GET",
			query: query.optional(),
			metadata: {
				openapi: openapi(
					"listTenantUsers",
					"List a tenant's users, newest first; the header x-total-count tells how many there are",
					usersAnswer,
					["TENANT_ID_REQUIRED", "TENANT_NOT_FOUND", "TENANT_MANAGEMENT_NOT_ALLOWED"],
					query,
				),
			},
		},
		async (ctx) => {
			const tenant = await requireManagedTenant(ctx, options, "user:list");
			const { limit = 100, offset = 0, search } = ctx.query ?? {};
			const { users, total } = await listUsers(ctx.context, tenant, { limit, offset, search });
			ctx.setHeader("x-total-count", String(total));
			return ctx.json(users.map((user) => parseUserOutput(ctx.context.options, user)));
		},
	);
