import type { AuthContext } from "@better-auth/core";
import type { Session, User } from "@better-auth/core/db";
import type { Where } from "@better-auth/core/db/adapter";
import * as z from "zod";
import { requireInstance, runInScope } from "../context/current-state";
import type { TenantScope } from "../context/scope";
import { keepsSessionsInDatabase } from "../isolation/stored-sessions";
import { tenantError } from "../tenant-error";
import { listSessionsOf, listUsers, type Page } from "./store";

/** A search for sessions looks for their users first, and considers this many at most. */
const SEARCHED_USERS = 500;

/** Sessions that have not expired, newest first. */
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
	if (!found) throw tenantError("SESSION_NOT_FOUND");
	return found;
}

export const tenantSessionSchema = z.object({
	id: z.string().meta({ description: "Unique id" }),
	userId: z.string().meta({ description: "The user" }),
	user: z
		.object({
			id: z.string().meta({ description: "Unique id" }),
			name: z.string().meta({ description: "Name" }),
			email: z.string().meta({ description: "Email" }),
		})
		.meta({ description: "The user" }),
	ipAddress: z.string().nullable().meta({ description: "The IP address of the sign-in" }),
	userAgent: z.string().nullable().meta({ description: "The browser of the sign-in" }),
	createdAt: z.date().meta({ description: "When the user signed in" }),
	updatedAt: z.date().meta({ description: "When the session was last extended" }),
	expiresAt: z.date().meta({ description: "When the session expires" }),
});

/** A session as management sees it, without its token: that would let them act as the user. */
export type TenantSession = z.output<typeof tenantSessionSchema>;

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
