import type { AuthContext } from "@better-auth/core";
import type { Session, User } from "@better-auth/core/db";
import type { Where } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import { requireInstance, runInScope } from "../context/request-state";
import type { TenantScope } from "../context/scope";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes";
import { keepsSessionsInDatabase } from "../isolation/stored-sessions";
import { listSessionsOf, listUsers, type Page } from "./store";
import { type TenantSession, toTenantSession } from "./tenant-session";

/** A search for sessions looks for their users first, and considers this many at most. */
const SEARCHED_USERS = 500;

/** Sessions that have not expired, newest first. */
export async function listSessions(
	ctx: AuthContext,
	scope: TenantScope,
	{ search, limit, offset }: Page,
): Promise<{ sessions: TenantSession[]; total: number }> {
	if (!keepsSessionsInDatabase(ctx)) {
		throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.SESSIONS_NOT_LISTED);
	}
	const where: Where[] = [{ field: "expiresAt", operator: "gt", value: new Date() }];
	if (search) {
		const { users } = await listUsers(ctx, scope, { search, limit: SEARCHED_USERS, offset: 0 });
		if (users.length === 0) return { sessions: [], total: 0 };
		where.push({ field: "userId", operator: "in", value: users.map(({ id }) => id) });
	}
	return runInScope(requireInstance(ctx), scope, async () => {
		const rows = await ctx.adapter.findMany<Session>({
			model: "session",
			where,
			sortBy: { field: "createdAt", direction: "desc" },
			limit,
			offset,
		});
		const users = await findUsers(ctx, [...new Set(rows.map(({ userId }) => userId))]);
		return {
			sessions: rows.flatMap((row) => {
				const user = users.get(row.userId);
				return user ? [toTenantSession(row, user)] : [];
			}),
			total: await ctx.adapter.count({ model: "session", where }),
		};
	});
}

async function findUsers({ adapter }: AuthContext, ids: string[]): Promise<Map<string, User>> {
	if (ids.length === 0) return new Map();
	const users = await adapter.findMany<User>({
		model: "user",
		where: [{ field: "id", operator: "in", value: ids }],
		limit: ids.length,
	});
	return new Map(users.map((user) => [user.id, user]));
}

/** By id: management never sees a session token. */
export async function requireSession(
	ctx: AuthContext,
	scope: TenantScope,
	{ userId, sessionId }: { userId: string; sessionId: string },
): Promise<Session> {
	const found = (await listSessionsOf(ctx, scope, userId)).find(({ id }) => id === sessionId);
	if (!found) throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.SESSION_NOT_FOUND);
	return found;
}
