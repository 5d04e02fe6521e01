import type { Session, User } from "@better-auth/core/db";

/** A session as management sees it, without its token: that would let them act as the user. */
export interface TenantSession {
	id: string;
	userId: string;
	user: Pick<User, "id" | "name" | "email">;
	ipAddress: string | null;
	userAgent: string | null;
	createdAt: Date;
	updatedAt: Date;
	expiresAt: Date;
}

export function toTenantSession(
	session: Session,
	{ id, name, email }: Pick<User, "id" | "name" | "email">,
): TenantSession {
	return {
		id: session.id,
		userId: id,
		user: { id, name, email },
		ipAddress: session.ipAddress ?? null,
		userAgent: session.userAgent ?? null,
		createdAt: session.createdAt,
		updatedAt: session.updatedAt,
		expiresAt: session.expiresAt,
	};
}
