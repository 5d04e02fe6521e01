import type { DBAdapter } from "@better-auth/core/db/adapter";
import * as z from "zod";
import type {
	DispatchedEvent,
	TenantRecord,
	TransactionListener,
} from "../../call/port/tenant-plugin";

export const DELIVERY_MODEL = "tenantWebhookDelivery";

export type DeliveryState = "pending" | "delivered" | "failed";

/** A delivery as the database stores it. */
export interface DeliveryRow {
	id: string;
	tenantId: string;
	webhookId: string;
	eventId: string;
	eventType: string;
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
function findSubscribers({ webhooks }: TenantRecord, type: string): string[] {
	if (typeof webhooks !== "string") return [];
	return Object.entries(subscriptions.parse(JSON.parse(webhooks)))
		.filter(([, types]) => types.includes(type) || types.includes(ALL_EVENTS))
		.map(([id]) => id);
}

/** MySQL stores at most 65,535 bytes. All data of events is short, so this is more than they need. */
const MAX_PAYLOAD_BYTES = 60_000;

/** The JSON that a receiver gets. */
export function payloadOf({ id, type, tenantId, createdAt, data }: DispatchedEvent): string {
	const payload = JSON.stringify({ id, type, timestamp: createdAt, tenantId, data });
	if (new TextEncoder().encode(payload).length <= MAX_PAYLOAD_BYTES) return payload;
	throw new Error(`The event ${type} has more than ${MAX_PAYLOAD_BYTES} bytes`);
}

/** Writes an event for a webhook. `deliverWebhooks` sends it. */
async function queueDelivery(
	adapter: Pick<DBAdapter, "create">,
	webhookId: string,
	event: DispatchedEvent,
): Promise<void> {
	await adapter.create<Omit<DeliveryRow, "id">>({
		model: DELIVERY_MODEL,
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

/** Writes the events of a tenant for its webhooks, in the transaction of the change. */
export const outbox: TransactionListener = {
	wants: (tenant, type) =>
		type === undefined
			? typeof tenant.webhooks === "string"
			: findSubscribers(tenant, type).length > 0,
	write: async (adapter, tenant, event) => {
		for (const webhookId of findSubscribers(tenant, event.type)) {
			await queueDelivery(adapter, webhookId, event);
		}
	},
};
