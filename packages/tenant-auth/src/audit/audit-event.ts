import type { ManagementAction } from "../options";
import type { Actor } from "./actor";

/** An event as the database stores it. */
export interface AuditEventRow {
	id: string;
	createdAt: Date;
	action: AuditEvent["action"];
	tenantId: string;
	actorKind: Actor["kind"];
	actorId: string | null;
	targetId: string | null;
	ipAddress: string | null;
	userAgent: string | null;
	detail: string | null;
}

/** What a platform admin did in a tenant through Better Auth's admin plugin, such as `admin:ban-user`. */
export type AdminAction = `admin:${string}`;

/** Who did what to a tenant, and from where. */
export interface AuditEvent {
	id: string;
	createdAt: Date;
	action: ManagementAction | AdminAction;
	tenantId: string;
	actor: Actor;
	/** The provider or the user that it concerns, if it is not the tenant itself. */
	targetId: string | null;
	ipAddress: string | null;
	userAgent: string | null;
	/** What changed, without secrets. */
	detail: Record<string, unknown> | null;
}

export function toAuditEvent(row: AuditEventRow): AuditEvent {
	return {
		id: row.id,
		createdAt: row.createdAt,
		action: row.action,
		tenantId: row.tenantId,
		actor: { kind: row.actorKind, id: row.actorId },
		targetId: row.targetId,
		ipAddress: row.ipAddress,
		userAgent: row.userAgent,
		detail: row.detail ? JSON.parse(row.detail) : null,
	};
}
