import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { PLATFORM_ID } from "../../call/context/tenant";
import type { Actor, AppEventAction } from "./audit-event";
import { recordAuditEvent } from "./audit-store";

/** An event of your app for the audit log. */
export interface AppEvent {
	/** `app:` and what happened, for example `app:create-key`. */
	action: AppEventAction;
	/** Who did it. */
	actor: Actor;
	/** @default the event concerns no tenant */
	tenantId?: string | undefined;
	/** What it was done to. */
	targetId?: string | undefined;
	/** What changed. It must contain no secret. */
	detail?: Record<string, unknown> | undefined;
}

/**
 * Where an event comes from: the context of an endpoint or hook, or `{ context: await auth.$context }`. The
 * type of its context depends on the app's options, so it is left open here.
 */
type Source = { context: object } & Partial<Pick<GenericEndpointContext, "request" | "headers">>;

/**
 * Writes an event of your app into the audit log, in the transaction that is running, if any.
 *
 * @example
 * ```ts
 * await recordAppEvent(ctx, {
 *   action: "app:create-key",
 *   actor: { kind: "administrator", id: user.id, name: user.name },
 *   targetId: key.id,
 * });
 * ```
 */
export async function recordAppEvent(source: Source, event: AppEvent): Promise<void> {
	const { action, actor, tenantId = PLATFORM_ID, targetId, detail } = event;
	if (!action.startsWith("app:")) {
		throw new BetterAuthError(`recordAppEvent: the action ${action} does not start with app:`);
	}
	const entry = { action, tenantId, ...(targetId ? { targetId } : {}), ...(detail && { detail }) };
	await recordAuditEvent(source as Source & { context: AuthContext }, entry, actor);
}
