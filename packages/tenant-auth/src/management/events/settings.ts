import type { AuthContext } from "@better-auth/core";
import type { TenantInstance } from "../../call/context/request-state";
import type { Features } from "../../call/port/features";
import type { OnEvent } from "./event-types";

/** What an instance does with events. */
export interface EventSettings {
	context: Pick<
		AuthContext,
		"adapter" | "logger" | "secret" | "options" | "runInBackground" | "runInBackgroundOrAwait"
	>;
	onEvent: OnEvent | undefined;
	features: Features;
}

const known = new WeakMap<TenantInstance, EventSettings>();

export function configureEvents(instance: TenantInstance, settings: EventSettings): void {
	known.set(instance, settings);
}

export function eventSettingsOf(instance: TenantInstance): EventSettings {
	const settings = known.get(instance);
	if (!settings) throw new Error("configureEvents() must run before the first event");
	return settings;
}
