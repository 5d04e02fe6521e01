import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { requireManagedTenant } from "../../management/managed-tenant";
import type { ResolvedOptions } from "../../options";
import { namedTenantSchema } from "../../tenants/tenant";
import { listSessions } from "../../users/session-store";
import { arrayOf, openapi, tenantSessionAnswer } from "../openapi";
import { pageFields, searchSchema } from "../pagination";

const query = z.object({
	tenantId: namedTenantSchema,
	...pageFields,
	search: searchSchema.meta({ description: "A part of the user's name or address" }).optional(),
});

export const listTenantSessions = (options: ResolvedOptions) =>
	createAuthEndpoint(
		"/tenant/session/list",
		{
			method: "GET",
			query: query.optional(),
			metadata: {
				openapi: openapi(
					"listTenantSessions",
					"List a tenant's sessions, newest first; the header x-total-count tells how many there are",
					arrayOf(tenantSessionAnswer),
					[
						"TENANT_ID_REQUIRED",
						"TENANT_NOT_FOUND",
						"SESSIONS_NOT_LISTED",
						"TENANT_MANAGEMENT_NOT_ALLOWED",
					],
					query,
				),
			},
		},
		async (ctx) => {
			const tenant = await requireManagedTenant(ctx, options, "session:list");
			const { limit = 100, offset = 0, search } = ctx.query ?? {};
			const { sessions, total } = await listSessions(ctx.context, tenant, {
				limit,
				offset,
				search,
			});
			ctx.setHeader("x-total-count", String(total));
			return ctx.json(sessions);
		},
	);
