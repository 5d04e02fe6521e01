/** A row of the audit log, as the database stores it. */
export type AuditRow = {
	id: string;
	createdAt: Date;
	action: string;
	/** Empty for what concerns no tenant. */
	tenantId: string;
	actorKind: string;
	actorId: string | null;
	actorName: string | null;
	targetId: string | null;
	ipAddress: string | null;
	userAgent: string | null;
	detail: string | null;
};

/** A row of the sign-in log, without the digest of the email and the time of its deletion. */
export type SignInRow = {
	id: string;
	createdAt: Date;
	tenantId: string;
	result: "succeeded" | "challenged" | "failed";
	reason: string | null;
	userId: string | null;
	method: string | null;
	providerId: string | null;
	ipAddress: string | null;
	userAgent: string | null;
	attempts: number;
};

type Common = {
	/** The id of the row in its log. It stays the same if an event is sent again. */
	id: string;
	timestamp: string;
	/** `null` for what concerns no tenant. */
	tenantId: string | null;
	ipAddress: string | null;
	userAgent: string | null;
};

export type AuditStreamEvent = Common & {
	type: "audit";
	action: string;
	actor: { kind: string; id: string | null; name: string | null };
	targetId: string | null;
	/** What changed, without any secret. */
	detail: unknown;
};

export type SignInStreamEvent = Common & {
	type: "sign-in";
	result: SignInRow["result"];
	reason: string | null;
	userId: string | null;
	method: string | null;
	providerId: string | null;
	/** More than 1: so many that were not stored one by one. */
	attempts: number;
};

/** What a log collector gets. It is what the logs show, without names and emails of users. */
export type StreamEvent = AuditStreamEvent | SignInStreamEvent;

export function toAudit(row: AuditRow): AuditStreamEvent {
	const { id, action, targetId, ipAddress, userAgent, detail } = row;
	return {
		type: "audit",
		id,
		timestamp: row.createdAt.toISOString(),
		tenantId: row.tenantId || null,
		action,
		actor: { kind: row.actorKind, id: row.actorId, name: row.actorName },
		targetId,
		ipAddress,
		userAgent,
		detail: detail === null ? null : JSON.parse(detail),
	};
}

export function toSignIn(row: SignInRow): SignInStreamEvent {
	const { id, tenantId, result, reason, userId, method, providerId } = row;
	const { ipAddress, userAgent, attempts } = row;
	const timestamp = row.createdAt.toISOString();
	return {
		...{ type: "sign-in" as const, id, timestamp, tenantId },
		...{ result, reason, userId, method, providerId, ipAddress, userAgent, attempts },
	};
}
