import * as z from "zod";
import { namedTenantSchema } from "../../tenants/tenant";
import { listSessions, tenantSessionSchema } from "../../users/session-store";
import { managedTenantEndpoint } from "../define";
import { pageFields, searchSchema } from "../pagination";

const query = z.object({
	tenantId: namedTenantSchema,
	...pageFields,
	search: searchSchema.meta({ description: "A part of the user's name or email" }).optional(),
});

export const listTenantSessions = managedTenantEndpoint(
	"listTenantSessions",
	{
		description:
			"List a tenant's sessions, newest first; the header x-total-count has their number",
		query: query.optional(),
		answer: z.array(tenantSessionSchema),
		errors: ["SESSIONS_NOT_LISTED"],
	},
	async (ctx, tenant) => {
		const { limit = 100, offset = 0, search } = ctx.query ?? {};
		const { sessions, total } = await listSessions(ctx.context, tenant, { limit, offset, search });
		ctx.setHeader("x-total-count", String(total));
		return ctx.json(sessions);
	},
);
