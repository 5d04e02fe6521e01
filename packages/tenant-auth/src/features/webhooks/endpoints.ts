import * as z from "zod";
import { flag, text } from "../../described";
import { requireTestAllowed } from "../../management/access/test-limit";
import { audited, recordAuditEvent } from "../../management/audit/audit-store";
import { makeEvent } from "../../management/events/emit";
import { idSchema, namedTenantSchema } from "../../management/tenants/tenant";
import { endpointsOf, successResponse } from "../endpoints/define";
import { deleteDeliveries, recordTest } from "./deliveries";
import { WEBHOOK_ERRORS } from "./error-codes";
import { requireKnownTypes } from "./event-types";
import { payloadOf } from "./outbox";
import { WEBHOOK_ROUTES } from "./routes";
import { requirePublicURL, send } from "./send";
import {
	changeWebhooks,
	deleteWebhook,
	insertWebhook,
	listWebhooks,
	requireWebhook,
	rotateSecret,
	storedTypes,
	updateWebhook,
} from "./store";
import {
	deliverySchema,
	descriptionSchema,
	eventTypesSchema,
	toWebhook,
	webhookSchema,
	webhookUrlSchema,
} from "./webhook";

const { managedTenantEndpoint } = endpointsOf(WEBHOOK_ROUTES, WEBHOOK_ERRORS);

const url = webhookUrlSchema.meta({ description: "A public https URL" });
const eventTypes = eventTypesSchema.meta({ description: "The events that it gets; * for all" });
const description = descriptionSchema.meta({ description: "What it is for" });
const enabled = flag("Whether events are sent");
const webhookId = idSchema.meta({ description: "The webhook" });
const secret = text("Verifies the signatures; it is not shown again");
const webhookWithSecret = webhookSchema.extend({ secret });

export const createTenantWebhook = managedTenantEndpoint(
	"createTenantWebhook",
	{
		description: "Create a webhook of a tenant; only this response has its secret",
		body: z.object({
			tenantId: namedTenantSchema,
			url,
			eventTypes,
			description: description.nullable().optional(),
			enabled: enabled.default(true),
		}),
		response: webhookWithSecret,
		errors: ["TOO_MANY_WEBHOOKS"],
	},
	async (ctx, tenant, options) => {
		const { tenantId: _, ...input } = ctx.body;
		requireKnownTypes(ctx.context, input.eventTypes);
		requirePublicURL(input.url, options.allowPrivateProviderHosts);
		const { tenantId } = tenant;
		const { result } = await audited(
			ctx,
			() =>
				changeWebhooks(ctx.context, tenant, () =>
					insertWebhook(ctx.context, tenant, {
						...input,
						description: input.description ?? null,
					}),
				),
			(changed) => ({
				action: "webhook:create",
				tenantId,
				targetId: changed.result.row.id,
				detail: { host: new URL(input.url).host, eventTypes: input.eventTypes },
				tenant: changed.tenant,
			}),
		);
		return ctx.json({ ...toWebhook(result.row), secret: result.secret });
	},
);

export const listTenantWebhooks = managedTenantEndpoint(
	"listTenantWebhooks",
	{
		description: "List a tenant's webhooks, without their secrets",
		query: z.object({ tenantId: namedTenantSchema }).optional(),
		response: z.array(webhookSchema),
	},
	async (ctx, tenant) => ctx.json((await listWebhooks(ctx.context, tenant)).map(toWebhook)),
);

export const updateTenantWebhook = managedTenantEndpoint(
	"updateTenantWebhook",
	{
		description: "Change a webhook; what is left out stays, the secret too",
		body: z.object({
			tenantId: namedTenantSchema,
			webhookId,
			url: url.optional(),
			eventTypes: eventTypes.optional(),
			description: description.nullable().optional(),
			enabled: enabled.optional(),
		}),
		response: webhookSchema,
		errors: ["WEBHOOK_NOT_FOUND"],
	},
	async (ctx, tenant, options) => {
		const { tenantId: _, webhookId: id, eventTypes, ...changes } = ctx.body;
		if (eventTypes) requireKnownTypes(ctx.context, eventTypes);
		if (changes.url) requirePublicURL(changes.url, options.allowPrivateProviderHosts);
		const update = {
			...changes,
			...(eventTypes ? { eventTypes: storedTypes(eventTypes) } : {}),
			// It starts again.
			...(changes.enabled ? { failures: 0, disabledAt: null } : {}),
		};
		const { result } = await audited(
			ctx,
			() =>
				changeWebhooks(ctx.context, tenant, () => updateWebhook(ctx.context, tenant, id, update)),
			(changed) => ({
				action: "webhook:update",
				tenantId: tenant.tenantId,
				targetId: id,
				detail: {
					...(changes.url ? { host: new URL(changes.url).host } : {}),
					...(eventTypes ? { eventTypes } : {}),
					...(changes.enabled === undefined ? {} : { enabled: changes.enabled }),
				},
				tenant: changed.tenant,
			}),
		);
		return ctx.json(toWebhook(result));
	},
);

const HOUR_MS = 60 * 60 * 1000;

export const rotateTenantWebhookSecret = managedTenantEndpoint(
	"rotateTenantWebhookSecret",
	{
		description: "Give a webhook a new secret; for a while both secrets sign",
		body: z.object({
			tenantId: namedTenantSchema,
			webhookId,
			overlapHours: z
				.int()
				.min(0)
				.max(168)
				.meta({ description: "How long the old secret signs too; default 24" })
				.default(24),
		}),
		response: webhookWithSecret,
		errors: ["WEBHOOK_NOT_FOUND"],
	},
	async (ctx, tenant) => {
		const { webhookId: id, overlapHours } = ctx.body;
		const until = overlapHours > 0 ? new Date(Date.now() + overlapHours * HOUR_MS) : null;
		const { row, secret } = await audited(
			ctx,
			() => rotateSecret(ctx.context, tenant, id, until),
			() => ({
				action: "webhook:rotate-secret",
				tenantId: tenant.tenantId,
				targetId: id,
				detail: { overlapHours },
			}),
		);
		return ctx.json({ ...toWebhook(row), secret });
	},
);

const TEST_TIMEOUT_MS = 10_000;

export const testTenantWebhook = managedTenantEndpoint(
	"testTenantWebhook",
	{
		description: "Send the event webhook.ping to a webhook now, and say what came back",
		body: z.object({ tenantId: namedTenantSchema, webhookId }),
		response: deliverySchema,
		errors: ["WEBHOOK_NOT_FOUND"],
	},
	async (ctx, tenant, options) => {
		const webhook = await requireWebhook(ctx.context, tenant, ctx.body.webhookId);
		requireTestAllowed(options, tenant.tenantId);
		const { id: webhookId } = webhook;
		const { tenantId } = tenant;
		const event = makeEvent(tenantId, { type: "webhook.ping", data: { webhookId } });
		const message = { eventId: event.id, payload: payloadOf(event) };
		const attempt = await send(ctx.context, webhook, message, {
			allowPrivate: options.allowPrivateProviderHosts,
			timeout: TEST_TIMEOUT_MS,
		});
		const delivery = await recordTest(ctx.context, webhookId, event, attempt);
		await recordAuditEvent(ctx, {
			action: "webhook:test",
			tenantId,
			targetId: webhookId,
			detail: { responseStatus: attempt.responseStatus },
		});
		return ctx.json(delivery);
	},
);

export const deleteTenantWebhook = managedTenantEndpoint(
	"deleteTenantWebhook",
	{
		description: "Delete a webhook with its deliveries",
		body: z.object({ tenantId: namedTenantSchema, webhookId }),
		response: successResponse,
		errors: ["WEBHOOK_NOT_FOUND"],
	},
	async (ctx, tenant) => {
		const { webhookId: id } = ctx.body;
		await audited(
			ctx,
			() => changeWebhooks(ctx.context, tenant, () => deleteWebhook(ctx.context, tenant, id)),
			(changed) => ({
				action: "webhook:delete",
				tenantId: tenant.tenantId,
				targetId: id,
				tenant: changed.tenant,
			}),
		);
		await deleteDeliveries(ctx.context, id);
		return ctx.json({ success: true as const });
	},
);
