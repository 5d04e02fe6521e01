import * as z from "zod";
import { findTenantRow } from "../../call/context/tenant";
import { requirePossibleId } from "../../call/context/tenant-id";
import { findActingMember } from "../../management/access/acting-member";
import { type AuditEvent, auditEventSchema } from "../../management/audit/audit-event";
import { audited, listEvents } from "../../management/audit/audit-store";
import { eraseEvents } from "../../management/audit/retention";
import { idSchema } from "../../management/tenants/tenant";
import { tenantError } from "../../tenant-error";
import { managementEndpoint } from "./define";
import { listPart, listResponse, pageFields, periodFields, periodOf, requestedPart } from "./lists";

const query = z.object({
	...pageFields,
	tenantId: idSchema.meta({ description: "Only events of this tenant" }).optional(),
	action: idSchema
		.meta({ description: "Only this action, for example tenant:suspend or admin:ban-user" })
		.optional(),
	actorId: idSchema.meta({ description: "Only events of this actor" }).optional(),
	targetId: idSchema.meta({ description: "Only events of this provider or user" }).optional(),
	...periodFields,
});

export const listTenantAuditEvents = managementEndpoint(
	"listTenantAuditEvents",
	{
		description:
			"List the audit events, newest first, by a role those of its own tenant; the header x-total-count has their number",
		query: query.optional(),
		response: listResponse(auditEventSchema),
		errors: ["INVALID_CURSOR"],
	},
	(ctx): string | null => ctx.query?.tenantId ?? null,
	async (ctx, tenantId) => {
		const part = await requestedPart(ctx, { name: "audit", tenantId, order: "newest" });
		const { action, actorId, targetId } = ctx.query ?? {};
		const page = await listEvents(ctx.context, {
			...part,
			tenantId: tenantId ?? undefined,
			...{ action, actorId, targetId },
			// Otherwise the filter would reveal who of the app's people did it.
			actorKind: actorId && findActingMember() ? "member" : undefined,
			...periodOf(ctx.query),
		});
		const events = findActingMember() ? page.rows.map(withoutStaff) : page.rows;
		return ctx.json(await listPart(ctx, events, page, part));
	},
	() => true,
);

/** A tenant's users see what the app did to their tenant, and not who works for the app, and where. */
function withoutStaff(event: AuditEvent): AuditEvent {
	if (event.actor.kind === "member") return event;
	return {
		...event,
		actor: { kind: event.actor.kind, id: null },
		ipAddress: null,
		userAgent: null,
	};
}

export const eraseTenantAuditEvents = managementEndpoint(
	"eraseTenantAuditEvents",
	{
		description: "Erase the audit events of a tenant that was deleted",
		body: z.object({ tenantId: idSchema.meta({ description: "The id of the deleted tenant" }) }),
		response: z.object({ erased: z.int().meta({ description: "The number of erased events" }) }),
		errors: ["TENANT_NOT_FOUND", "TENANT_NOT_DELETED"],
	},
	({ body }) => body.tenantId,
	async (ctx, tenantId) => {
		const possibleId = requirePossibleId(ctx, tenantId);
		// While a tenant exists, its log must show what was done to it.
		if (await findTenantRow(ctx.context, "id", possibleId)) throw tenantError("TENANT_NOT_DELETED");
		const erased = await audited(
			ctx,
			async () => {
				const count = await eraseEvents(ctx.context, possibleId);
				if (count === 0) throw tenantError("TENANT_NOT_FOUND");
				return count;
			},
			// It says that events are missing, and not who somebody is.
			(count) => ({
				action: "audit:erase",
				tenantId,
				detail: { events: count },
				isAnonymous: true,
			}),
		);
		return ctx.json({ erased });
	},
);
