import type { DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { generateId } from "@better-auth/core/utils/id";
import type { TenantInstance } from "../context/request-state";
import type { TenantRow } from "../context/tenant";
import { afterCommit } from "../isolation/after-commit";
import type { NewEvent, TenantEvent } from "./event-types";
import { findSubscribers, queueDelivery } from "./outbox";
import { type EventSettings, eventSettingsOf } from "./settings";

/** What an event needs to know of its tenant. */
export type EventTenant = Pick<TenantRow, "id" | "webhooks">;

/** Whether anybody wants events of a tenant. */
export const hasListeners = (instance: TenantInstance, { webhooks }: EventTenant): boolean =>
	webhooks !== null || eventSettingsOf(instance).onEvent !== undefined;

export function makeEvent<Event extends NewEvent>(
	{ id: tenantId }: EventTenant,
	event: Event,
): Event & Omit<TenantEvent, "type" | "data"> {
	return { ...event, id: `evt_${generateId(24)}`, tenantId, createdAt: new Date() };
}

/**
 * Passes an event on: to the tenant's webhooks as a part of the adapter's transaction, and to the app
 * after it.
 */
export async function emit(
	instance: TenantInstance,
	adapter: Pick<DBTransactionAdapter, "create">,
	tenant: EventTenant,
	event: NewEvent,
): Promise<void> {
	const settings = eventSettingsOf(instance);
	const subscribers = findSubscribers(tenant, event.type);
	if (subscribers.length === 0 && !settings.onEvent) return;
	const made = makeEvent(tenant, event);
	for (const webhookId of subscribers) await queueDelivery(adapter, webhookId, made);
	if (settings.onEvent) await afterCommit(adapter, () => callApp(settings, made));
}

/** Calls `onEvent`. Its errors concern nobody who waits for an answer. */
export async function callApp(
	{ context, onEvent }: EventSettings,
	event: TenantEvent,
): Promise<void> {
	const call = async () => onEvent?.(event);
	await context.runInBackgroundOrAwait(
		call().catch((error: unknown) => {
			context.logger.error(`tenantAuth: onEvent failed for ${event.type} ${event.id}`, error);
		}),
	);
}
