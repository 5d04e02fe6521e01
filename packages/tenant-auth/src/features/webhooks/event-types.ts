import type { AuthContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { requireInstance } from "../../call/context/current-state";
import type { DispatchedEvent } from "../../call/port/tenant-plugin";
import { EVENT_TYPES } from "../../management/events/event-types";
import { ALL_EVENTS } from "./outbox";

/** The events of webhooks themselves. Their data has the `webhookId`. */
export const WEBHOOK_EVENTS = {
	"webhook.created": "A webhook was created",
	"webhook.updated": "A webhook was changed",
	"webhook.secret-rotated": "A webhook got a new secret",
	"webhook.disabled": "A webhook was disabled because it kept failing",
	"webhook.deleted": "A webhook was deleted",
	"webhook.ping": "A test of a webhook",
} as const;

/** An event of a webhook, for the option `onEvent`. */
export interface TenantWebhookEvent extends DispatchedEvent {
	type: keyof typeof WEBHOOK_EVENTS;
	data: { webhookId: string };
}

/** The webhooks of a tenant are deleted with it, and a ping goes to the webhook that is tested. */
const NEVER_SENT = ["tenant.deleted", "webhook.ping"];

/** @throws APIError `VALIDATION_ERROR` for an event that a webhook cannot ask for */
export function requireKnownTypes(ctx: AuthContext, types: readonly string[]): void {
	const { eventTypes } = requireInstance(ctx).features;
	const known = new Set([ALL_EVENTS, ...Object.keys(EVENT_TYPES), ...eventTypes]);
	const unknown = types.find((type) => !known.has(type) || NEVER_SENT.includes(type));
	if (unknown === undefined) return;
	throw new APIError("BAD_REQUEST", {
		code: "VALIDATION_ERROR",
		message: `[body.eventTypes] ${JSON.stringify(unknown)} is not an event that a webhook can get`,
	});
}
