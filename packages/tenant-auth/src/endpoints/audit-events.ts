import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { listEvents } from "../audit/audit-store";
import { requireManagement } from "../management/authorize";
import type { ResolvedOptions } from "../options";
import { idSchema } from "../tenants/tenant";
import { arrayOf, auditEventAnswer, openapi } from "./openapi";
import { pageFields } from "./pagination";

const moment = z.iso.datetime({ offset: true });

/** Nothing was done before 1970, and not every driver can write a year 0. */
const momentOf = (text: string) => new Date(Math.max(0, Date.parse(text)));

const query = z.object({
	...pageFields,
	tenantId: idSchema.meta({ description: "What was done to this tenant" }).optional(),
	action: idSchema
		.meta({ description: "What was done, such as tenant:suspend or admin:ban-user" })
		.optional(),
	actorId: idSchema.meta({ description: "Who did it" }).optional(),
	targetId: idSchema.meta({ description: "The provider or user that it was done to" }).optional(),
	since: moment.meta({ description: "Not before this moment" }).optional(),
	until: moment.meta({ description: "Before this moment" }).optional(),
});

export const listTenantAuditEvents = (options: ResolvedOptions) =>
	createAuthEndpoint(
		"/tenant/audit/list",
		{
			method: "GET",
			query: query.optional(),
			metadata: {
				openapi: openapi(
					"listTenantAuditEvents",
					"List who did what to which tenant, newest first; the header x-total-count tells how many there are",
					arrayOf(auditEventAnswer),
					["TENANT_MANAGEMENT_NOT_ALLOWED"],
					query,
				),
			},
		},
		async (ctx) => {
			const { limit = 100, offset = 0, since, until, ...exact } = ctx.query ?? {};
			await requireManagement(ctx, options, {
				action: "audit:list",
				tenantId: exact.tenantId ?? null,
			});
			const { events, total } = await listEvents(ctx.context, {
				...exact,
				limit,
				offset,
				since: since ? momentOf(since) : undefined,
				until: until ? momentOf(until) : undefined,
			});
			ctx.setHeader("x-total-count", String(total));
			return ctx.json(events);
		},
	);
