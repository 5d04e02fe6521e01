import type { Kysely } from "kysely";
import { PASSWORD, type Rows } from "./instance";

/** Adds users with a password and a session to a tenant, in less time than by sign-ups. */
export async function addUsers(db: Kysely<Rows>, tenantId: string, count: number): Promise<void> {
	const moment = { createdAt: new Date().toISOString(), updatedAt: new Date().toISOString() };
	const ids = Array.from({ length: count }, (_, n) => `${tenantId}-${n}`);
	const users = ids.map((id, n) => ({
		...{ ...moment, id, tenantId, name: "User" },
		...{ email: `user${n}@example.com`, emailVerified: 0 },
	}));
	const accounts = ids.map((id) => ({
		...{ ...moment, id: `account-${id}`, tenantId, userId: id },
		...{ accountId: id, providerId: "credential", password: `hash of ${PASSWORD}` },
	}));
	await db.insertInto("user").values(users).execute();
	await db.insertInto("account").values(accounts).execute();
	const sessions = ids.flatMap((id) => sessionsOf({ id, tenantId }, 1));
	await db.insertInto("session").values(sessions).execute();
}

export async function addSessions(
	db: Kysely<Rows>,
	user: { id: string; tenantId: string },
	count: number,
): Promise<void> {
	await db.insertInto("session").values(sessionsOf(user, count)).execute();
}

function sessionsOf(user: { id: string; tenantId: string }, count: number) {
	const now = new Date();
	return Array.from({ length: count }, (_, n) => ({
		id: `session-${n}-${user.id}`,
		token: `token-${n}-${user.id}`,
		tenantId: user.tenantId,
		userId: user.id,
		expiresAt: new Date(now.getTime() + 86_400_000).toISOString(),
		createdAt: now.toISOString(),
		updatedAt: now.toISOString(),
	}));
}
