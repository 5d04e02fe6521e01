import type { AuthContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { TenantScope } from "../../call/context/tenant";
import { isPossibleId } from "../../call/context/tenant-id";
import type { DispatchedEvent } from "../../call/port/tenant-plugin";
import { findCountedPage, inLog, type LogPart } from "../../database/counted-page";
import type { SearchedPage } from "../../database/searched-list";
import { createThrottle } from "../../database/throttle";
import { idOf, withIds } from "../../isolation/row-owners";
import { DELIVERY_MODEL, type DeliveryRow, type DeliveryState, payloadOf } from "./outbox";
import type { Attempt } from "./send";
import { requireWebhook } from "./store";
import { toDelivery, type WebhookDelivery } from "./webhook";
import { webhookError } from "./webhook-error";

const BATCH = 100;

export interface DeliveryPart extends LogPart {
	webhookId?: string | undefined;
	state?: DeliveryState | undefined;
	eventType?: string | undefined;
}

export async function listDeliveries(
	ctx: Pick<AuthContext, "adapter">,
	{ tenantId }: TenantScope,
	part: DeliveryPart,
): Promise<SearchedPage<WebhookDelivery>> {
	const { webhookId, state, eventType } = part;
	const where = inLog({ tenantId, webhookId, state, eventType }, part);
	const page = await findCountedPage<DeliveryRow>({ ctx, model: DELIVERY_MODEL, where }, part);
	return { ...page, rows: page.rows.map(toDelivery) };
}

/** Stores an attempt that was made without the outbox. */
export async function recordTest(
	ctx: Pick<AuthContext, "adapter">,
	webhookId: string,
	event: DispatchedEvent,
	{ isDelivered, responseStatus, error }: Attempt,
): Promise<WebhookDelivery> {
	const now = new Date();
	const row = await (await getCurrentAdapter(ctx.adapter)).create<
		Omit<DeliveryRow, "id">,
		DeliveryRow
	>({
		model: DELIVERY_MODEL,
		data: {
			tenantId: event.tenantId,
			webhookId,
			eventId: event.id,
			eventType: event.type,
			payload: payloadOf(event),
			state: isDelivered ? "delivered" : "failed",
			attempts: 1,
			nextAttemptAt: now,
			responseStatus,
			error,
			createdAt: event.createdAt,
			finishedAt: now,
		},
	});
	return toDelivery(row);
}

/** Makes a delivery due again, with all its attempts. It keeps the id of the event. */
export async function replayDelivery(
	ctx: Pick<AuthContext, "adapter" | "options">,
	scope: TenantScope,
	id: string,
): Promise<DeliveryRow> {
	const database = await getCurrentAdapter(ctx.adapter);
	const where = [
		{ field: "tenantId", value: scope.tenantId },
		{ field: "id", value: id },
	];
	const find = () => database.findOne<DeliveryRow>({ model: DELIVERY_MODEL, where });
	const row = isPossibleId(ctx.options, id) ? await find() : null;
	// MySQL ignores case and trailing spaces.
	if (row?.id !== id) throw webhookError("WEBHOOK_DELIVERY_NOT_FOUND");
	// Nothing would be sent until somebody enables it, perhaps much later.
	const { enabled } = await requireWebhook(ctx, scope, row.webhookId);
	if (!enabled) throw webhookError("WEBHOOK_DISABLED");
	await database.updateMany({
		model: DELIVERY_MODEL,
		where,
		update: { state: "pending", attempts: 0, nextAttemptAt: new Date(), finishedAt: null },
	});
	return (await find()) ?? row;
}

/** Deletes the deliveries of a webhook in batches. They may be many. */
export async function deleteDeliveries(
	{ adapter }: Pick<AuthContext, "adapter">,
	webhookId: string,
): Promise<void> {
	const throttle = createThrottle();
	const model = DELIVERY_MODEL;
	const where = [{ field: "webhookId", value: webhookId }];
	for (;;) {
		const rows = await adapter.findMany({ model, where, limit: BATCH, select: ["id"] });
		await throttle();
		if (rows.length > 0) {
			await adapter.deleteMany({ model, where: [withIds(rows.map(idOf))] });
		}
		await throttle();
		if (rows.length < BATCH) return;
	}
}
