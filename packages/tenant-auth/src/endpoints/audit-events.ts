import * as z from "zod";
import { auditEventSchema } from "../audit/audit-event";
import { listEvents } from "../audit/audit-store";
import { idSchema } from "../tenants/tenant";
import { managementEndpoint, pageFields } from "./define";

const timestamp = z.iso.datetime({ offset: true });

/** There are no events before 1970, and not every driver can write the year 0. */
const dateOf = (text: string) => new Date(Math.max(0, Date.parse(text)));

const query = z.object({
	...pageFields,
	tenantId: idSchema.meta({ description: "Only events of this tenant" }).optional(),
	action: idSchema
		.meta({ description: "Only this action, for example tenant:suspend or admin:ban-user" })
		.optional(),
	actorId: idSchema.meta({ description: "Only events of this actor" }).optional(),
	targetId: idSchema.meta({ description: "Only events of this provider or user" }).optional(),
	since: timestamp.meta({ description: "Only events at or after this time" }).optional(),
	until: timestamp.meta({ description: "Only events before this time" }).optional(),
});

export const listTenantAuditEvents = managementEndpoint(
	"listTenantAuditEvents",
	{
		description: "List the audit events, newest first; the header x-total-count has their number",
		query: query.optional(),
		answer: z.array(auditEventSchema),
	},
	(ctx) => ctx.query?.tenantId ?? null,
	async (ctx) => {
		const { limit = 100, offset = 0, since, until, ...exact } = ctx.query ?? {};
		const { events, total } = await listEvents(ctx.context, {
			...exact,
			limit,
			offset,
			since: since ? dateOf(since) : undefined,
			until: until ? dateOf(until) : undefined,
		});
		ctx.setHeader("x-total-count", String(total));
		return ctx.json(events);
	},
);
