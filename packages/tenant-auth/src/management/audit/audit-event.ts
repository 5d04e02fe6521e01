import * as z from "zod";
import { defineCallState } from "../../call/context/current-state";
import { PLATFORM_ID } from "../../call/context/tenant";
import { date, text, textOrNull } from "../../described";
import type { ManagementAction } from "../../routes";

const actorSchema = z.object({
	/**
	 * - `server`: server code of the app, which called `auth.api` without a request
	 * - `key`: a management key; `id` is the beginning of its digest. Or a key of your app, with its own id
	 * - `administrator`: a platform admin, or an administrator of your app; `id` is the user's
	 * - `member`: a user of the tenant whose role permits it; `id` is the user's
	 * - `host`: a caller that `canManageTenants` allowed; `id` is the user's, if one is signed in
	 */
	kind: z
		.enum(["server", "key", "administrator", "member", "host"])
		.meta({ description: "How the caller was authorized" }),
	id: textOrNull("The user, or the digest of the key"),
	name: text("The name of an administrator or key, if your app gave it").optional(),
});

/** Who did something. */
export type Actor = z.output<typeof actorSchema>;

const actor = defineCallState<{ current?: Actor }>(() => ({}));

export function setActor(current: Actor): void {
	actor.get().current = current;
}

/** Who was authorized by the running call. */
export function requireActor(): Actor {
	const { current } = actor.get();
	if (!current) throw new Error("requireManagement() must run before requireActor()");
	return current;
}

/** An event as the database stores it. */
export interface AuditEventRow {
	id: string;
	createdAt: Date;
	action: AuditEvent["action"];
	tenantId: string;
	actorKind: Actor["kind"];
	actorId: string | null;
	actorName: string | null;
	targetId: string | null;
	ipAddress: string | null;
	userAgent: string | null;
	detail: string | null;
}

/** What a platform admin did in a tenant through Better Auth's admin plugin, such as `admin:ban-user`. */
export type AdminAction = `admin:${string}`;

/** What a user of a tenant did, and management wants to know. */
export type UserAction = "user:use-sign-in-link";

/** What the server did by itself. */
export type ServerAction = "user:map-role";

/** What your app recorded with `recordAppEvent`, such as `app:create-key`. */
export type AppEventAction = `app:${string}`;

const storedDetail = z.record(z.string(), z.unknown());

export const auditEventSchema = z.object({
	id: text("Unique id"),
	createdAt: date("When it happened"),
	action: z
		.custom<ManagementAction | AdminAction | UserAction | ServerAction | AppEventAction>()
		.meta({ type: "string", description: "For example tenant:suspend or admin:ban-user" }),
	tenantId: textOrNull("The tenant; null for an event of your app that concerns none"),
	actor: actorSchema.meta({ description: "Who did it" }),
	targetId: textOrNull("The provider, the user or the domain, if any"),
	ipAddress: textOrNull("The IP address of the caller"),
	userAgent: textOrNull("The client of the caller"),
	detail: storedDetail.nullable().meta({ description: "What changed, without any secret" }),
});

/** Who did what to a tenant, and from where. */
export type AuditEvent = z.output<typeof auditEventSchema>;

export function toAuditEvent(row: AuditEventRow): AuditEvent {
	return {
		id: row.id,
		createdAt: row.createdAt,
		action: row.action,
		tenantId: row.tenantId === PLATFORM_ID ? null : row.tenantId,
		actor: {
			kind: row.actorKind,
			id: row.actorId,
			...(row.actorName ? { name: row.actorName } : {}),
		},
		targetId: row.targetId,
		ipAddress: row.ipAddress,
		userAgent: row.userAgent,
		detail: row.detail ? storedDetail.parse(JSON.parse(row.detail)) : null,
	};
}
