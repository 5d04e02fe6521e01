import type { AuthContext } from "@better-auth/core";
import type { Session, User } from "@better-auth/core/db";
import type { Where } from "@better-auth/core/db/adapter";
import { runInScope, type TenantScope } from "../context/scope";
import { keepsSessionsInDatabase } from "../isolation/stored-sessions";
import { tenantError } from "../tenant-error";
import { listSessionsOf, listUsers, type Page } from "./store";
import { type TenantSession, toTenantSession } from "./tenant-session";

/** A search for sessions goes over their users: of so many at most. */
const SEARCHED_USERS = 500;

/** Those that have not expired, newest first. */
export async function listSessions(
	ctx: AuthContext,
	scope: TenantScope,
	{ search, limit, offset }: Page,
): Promise<{ sessions: TenantSession[]; total: number }> {
	if (!keepsSessionsInDatabase(ctx)) {
		throw tenantError("SESSIONS_NOT_LISTED");
	}
	const where: Where[] = [{ field: "expiresAt", operator: "gt", value: new Date() }];
	if (search) {
		const { users } = await listUsers(ctx, scope, { search, limit: SEARCHED_USERS, offset: 0 });
		if (users.length === 0) return { sessions: [], total: 0 };
		where.push({ field: "userId", operator: "in", value: users.map(({ id }) => id) });
	}
	return runInScope(scope, async () => {
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

/** By its id: those who manage never see a token. */
export async function requireSession(
	ctx: AuthContext,
	scope: TenantScope,
	{ userId, sessionId }: { userId: string; sessionId: string },
): Promise<Session> {
	const found = (await listSessionsOf(ctx, scope, userId)).find(({ id }) => id === sessionId);
	if (!found) throw tenantError("SESSION_NOT_FOUND");
	return found;
}
