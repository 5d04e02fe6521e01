import type { DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { generateId } from "@better-auth/core/utils/id";
import type { TenantInstance } from "../../call/context/request-state";
import type { DispatchedEvent, FeatureEvent, TenantRecord } from "../../call/port/tenant-plugin";
import { afterCommit } from "../../isolation/raw-adapter";
import type { TenantEvent } from "./event-types";

/** The listeners of plugins that write an event of a tenant, or any event if there is no type. */
const listenersOf = ({ features }: TenantInstance, tenant: TenantRecord, type?: string) =>
	features.listeners.filter((listener) => listener.wants(tenant, type));

/** Whether a plugin writes events of a tenant as a part of their transactions. */
export const hasTransactionListeners = (
	instance: TenantInstance,
	tenant: TenantRecord,
	type?: string,
): boolean => listenersOf(instance, tenant, type).length > 0;

/** Whether anybody wants events of a tenant. */
export const hasListeners = (instance: TenantInstance, tenant: TenantRecord): boolean =>
	instance.options.onEvent !== undefined || hasTransactionListeners(instance, tenant);

export function makeEvent<Event extends FeatureEvent>(
	tenantId: string,
	event: Event,
): Event & DispatchedEvent {
	return { ...event, id: `evt_${generateId(24)}`, tenantId, createdAt: new Date() };
}

/** Passes an event on: to plugins as a part of the adapter's transaction, and to the app after it. */
export async function emit(
	instance: TenantInstance,
	adapter: Pick<DBTransactionAdapter, "create">,
	tenant: TenantRecord,
	event: FeatureEvent,
): Promise<void> {
	const { onEvent } = instance.options;
	if (!onEvent && !hasTransactionListeners(instance, tenant, event.type)) return;
	const made = makeEvent(tenant.id, event);
	await writeEvent(instance, adapter, tenant, made);
	if (onEvent) await afterCommit(adapter, () => callApp(instance, made));
}

/** Lets the plugins that want an event write it. */
export async function writeEvent(
	instance: TenantInstance,
	adapter: Pick<DBTransactionAdapter, "create">,
	tenant: TenantRecord,
	event: DispatchedEvent,
): Promise<void> {
	for (const listener of listenersOf(instance, tenant, event.type)) {
		await listener.write(adapter, tenant, event);
	}
}

/** Calls `onEvent`. Its errors must not fail the request. */
export async function callApp(
	{ context, options }: TenantInstance,
	event: DispatchedEvent,
): Promise<void> {
	// An app that wants the events of a plugin too, adds their types itself.
	const call = async () => options.onEvent?.(event as TenantEvent);
	await context.runInBackgroundOrAwait(
		call().catch((error: unknown) => {
			context.logger.error(`tenantAuth: onEvent failed for ${event.type} ${event.id}`, error);
		}),
	);
}
