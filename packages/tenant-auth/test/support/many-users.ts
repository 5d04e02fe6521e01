import type { Kysely } from "kysely";
import type { Rows } from "./instance";

/** Users of a tenant, each with a password and a session, in less time than it takes to sign up. */
export async function addUsers(db: Kysely<Rows>, tenantId: string, count: number): Promise<void> {
	const moment = { createdAt: new Date().toISOString(), updatedAt: new Date().toISOString() };
	const ids = Array.from({ length: count }, (_, n) => `${tenantId}-${n}`);
	const users = ids.map((id, n) => ({
		...{ ...moment, id, tenantId, name: "User" },
		...{ email: `user${n}@example.com`, emailVerified: 0 },
	}));
	const accounts = ids.map((id) => ({
		...{ ...moment, id: `account-${id}`, tenantId, userId: id },
		...{ accountId: id, providerId: "credential", password: "hash of correct horse battery" },
	}));
	await db.insertInto("user").values(users).execute();
	await db.insertInto("account").values(accounts).execute();
	for (const id of ids) await addSessions(db, { id, tenantId }, 1);
}

export async function addSessions(
	db: Kysely<Rows>,
	user: { id: string; tenantId: string },
	count: number,
): Promise<void> {
	const now = new Date();
	const rows = Array.from({ length: count }, (_, n) => ({
		id: `session-${n}-${user.id}`,
		token: `token-${n}-${user.id}`,
		tenantId: user.tenantId,
		userId: user.id,
		expiresAt: new Date(now.getTime() + 86_400_000).toISOString(),
		createdAt: now.toISOString(),
		updatedAt: now.toISOString(),
	}));
	await db.insertInto("session").values(rows).execute();
}
