import * as z from "zod";
import { audited } from "../../management/audit/audit-store";
import { idSchema, namedTenantSchema } from "../../management/tenants/tenant";
import { endpointsOf } from "../endpoints/define";
import {
	listPart,
	listResponse,
	pageFields,
	periodFields,
	periodOf,
	requestedPart,
} from "../endpoints/lists";
import { listDeliveries, replayDelivery } from "./deliveries";
import { WEBHOOK_ERRORS } from "./error-codes";
import { WEBHOOK_ROUTES } from "./routes";
import { deliverySchema, toDelivery } from "./webhook";

const { managedTenantEndpoint } = endpointsOf(WEBHOOK_ROUTES, WEBHOOK_ERRORS);

const query = z.object({
	tenantId: namedTenantSchema,
	...pageFields,
	webhookId: idSchema.meta({ description: "Only deliveries to this webhook" }).optional(),
	state: deliverySchema.shape.state.meta({ description: "Only in this state" }).optional(),
	eventType: idSchema.meta({ description: "Only of this event type" }).optional(),
	...periodFields,
});

export const listTenantWebhookDeliveries = managedTenantEndpoint(
	"listTenantWebhookDeliveries",
	{
		description:
			"List the deliveries to a tenant's webhooks, newest first; the header x-total-count has their number",
		query: query.optional(),
		response: listResponse(deliverySchema),
		errors: ["INVALID_CURSOR"],
	},
	async (ctx, tenant) => {
		const part = await requestedPart(ctx, { name: "deliveries", ...tenant, order: "newest" });
		const { webhookId, state, eventType } = ctx.query ?? {};
		const page = await listDeliveries(ctx.context, tenant, {
			...part,
			...{ webhookId, state, eventType },
			...periodOf(ctx.query),
		});
		return ctx.json(await listPart(ctx, page.rows, page, part));
	},
);

export const replayTenantWebhookDelivery = managedTenantEndpoint(
	"replayTenantWebhookDelivery",
	{
		description: "Send an event to a webhook again, with the same webhook-id",
		body: z.object({
			tenantId: namedTenantSchema,
			deliveryId: idSchema.meta({ description: "The delivery" }),
		}),
		response: deliverySchema,
		errors: ["WEBHOOK_DELIVERY_NOT_FOUND", "WEBHOOK_DISABLED"],
	},
	async (ctx, tenant) => {
		const row = await audited(
			ctx,
			() => replayDelivery(ctx.context, tenant, ctx.body.deliveryId),
			({ id, webhookId }) => ({
				action: "webhook:replay-delivery",
				tenantId: tenant.tenantId,
				targetId: webhookId,
				detail: { deliveryId: id },
			}),
		);
		return ctx.json(toDelivery(row));
	},
);
