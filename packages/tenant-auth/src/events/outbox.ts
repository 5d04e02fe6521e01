import type { DBAdapter } from "@better-auth/core/db/adapter";
import * as z from "zod";
import type { TenantRow } from "../context/tenant";
import type { TenantEvent } from "./event-types";

const MODEL = "tenantWebhookDelivery";

export type DeliveryState = "pending" | "delivered" | "failed";

/** A delivery as the database stores it. */
export interface DeliveryRow {
	id: string;
	tenantId: string;
	webhookId: string;
	eventId: string;
	eventType: TenantEvent["type"];
	payload: string;
	state: DeliveryState;
	attempts: number;
	nextAttemptAt: Date;
	responseStatus: number | null;
	error: string | null;
	createdAt: Date;
	finishedAt: Date | null;
}

/** The event types of each enabled webhook, by its id. */
const subscriptions = z.record(z.string(), z.array(z.string()));

/** Every event type. */
export const ALL_EVENTS = "*";

export const toSubscriptions = (
	webhooks: readonly { id: string; enabled: boolean; eventTypes: string[] }[],
): string | null => {
	const enabled = webhooks.filter((webhook) => webhook.enabled);
	if (enabled.length === 0) return null;
	return JSON.stringify(Object.fromEntries(enabled.map(({ id, eventTypes }) => [id, eventTypes])));
};

/** The ids of the webhooks that want an event. */
export function findSubscribers(
	{ webhooks }: Pick<TenantRow, "webhooks">,
	type: TenantEvent["type"],
): string[] {
	if (webhooks === null) return [];
	return Object.entries(subscriptions.parse(JSON.parse(webhooks)))
		.filter(([, types]) => types.includes(type) || types.includes(ALL_EVENTS))
		.map(([id]) => id);
}

/** MySQL stores at most 65,535 bytes. All data of events is short, so this is more than they need. */
const MAX_PAYLOAD_BYTES = 60_000;

/** The JSON that a receiver gets. */
export function payloadOf({ id, type, tenantId, createdAt, data }: TenantEvent): string {
	const payload = JSON.stringify({ id, type, timestamp: createdAt, tenantId, data });
	if (new TextEncoder().encode(payload).length <= MAX_PAYLOAD_BYTES) return payload;
	throw new Error(`The event ${type} has more than ${MAX_PAYLOAD_BYTES} bytes`);
}

/** Writes an event for a webhook. `deliverWebhooks` sends it. */
export async function queueDelivery(
	adapter: Pick<DBAdapter, "create">,
	webhookId: string,
	event: TenantEvent,
): Promise<void> {
	await adapter.create<Omit<DeliveryRow, "id">>({
		model: MODEL,
		data: {
			tenantId: event.tenantId,
			webhookId,
			eventId: event.id,
			eventType: event.type,
			payload: payloadOf(event),
			state: "pending",
			attempts: 0,
			nextAttemptAt: event.createdAt,
			responseStatus: null,
			error: null,
			createdAt: event.createdAt,
			finishedAt: null,
		},
	});
}
