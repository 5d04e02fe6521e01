import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import {
	getCurrentDBAdapterAsyncLocalStorage,
	runWithTransaction,
} from "@better-auth/core/context";
import type { Session, User } from "@better-auth/core/db";
import type { DBAdapter, DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import * as z from "zod";
import { requireInstance, runInScope } from "../../call/context/current-state";
import { findAnyImpersonator } from "../../call/context/impersonation";
import type { TenantScope } from "../../call/context/tenant";
import { findCountedPage } from "../../database/counted-page";
import { withDeferredWrites, withTransaction } from "../../database/deferred-writes";
import type { SearchedPage } from "../../database/searched-list";
import { date, text, textOrNull } from "../../described";
import { keepsSessionsInDatabase } from "../../isolation/storage";
import { cutOffSessions, endStoredSession } from "../../isolation/stored-sessions";
import { tenantError } from "../../tenant-error";
import { findActingMember } from "../access/acting-member";
import type { ReachableUser } from "../access/reachable-user";
import { roleOf } from "../access/roles";
import { type AuditEntry, recordAuditEvent } from "../audit/audit-store";
import { listSessionsOf, listUsers, type TenantPart } from "./store";

/** A search for sessions looks for their users first, and considers this many at most. */
const SEARCHED_USERS = 500;

/** Sessions that have not expired. */
export async function listSessions(
	ctx: AuthContext,
	scope: TenantScope,
	{ search, ...part }: TenantPart,
): Promise<SearchedPage<TenantSession>> {
	if (!keepsSessionsInDatabase(ctx)) {
		throw tenantError("SESSIONS_NOT_LISTED");
	}
	const where: Where[] = [{ field: "expiresAt", operator: "gt", value: new Date() }];
	let isLimited = false;
	if (search) {
		const first = { offset: 0, limit: SEARCHED_USERS, countsTotal: false };
		const found = await listUsers(ctx, scope, { search, ...first });
		isLimited = found.isLimited || found.next !== null;
		if (found.rows.length === 0) return { rows: [], next: null, total: 0, isLimited };
		where.push({ field: "userId", operator: "in", value: found.rows.map(({ id }) => id) });
	}
	return runInScope(requireInstance(ctx), scope, async () => {
		const page = await findCountedPage<Session>({ ctx, model: "session", where }, part);
		const users = await findUsers(ctx, [...new Set(page.rows.map(({ userId }) => userId))]);
		const rows = page.rows.flatMap((row) => {
			const user = users.get(row.userId);
			return user ? [toTenantSession(row, user)] : [];
		});
		return { ...page, rows, isLimited };
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
	const find = async () =>
		(await listSessionsOf(ctx, scope, userId)).find(({ id }) => id === sessionId);
	// Core leaves a session out of the list if the storage fails just then. So ask again.
	const found = (await find()) ?? (ctx.options.secondaryStorage ? await find() : undefined);
	if (!found) throw tenantError("SESSION_NOT_FOUND");
	return found;
}

export const tenantSessionSchema = z.object({
	id: text("Unique id"),
	userId: text("The user"),
	user: z
		.object({
			id: text("Unique id"),
			name: text("Name"),
			email: text("Email"),
			role: text("The role in the tenant"),
		})
		.meta({ description: "The user" }),
	ipAddress: textOrNull("The IP address of the sign-in"),
	userAgent: textOrNull("The browser of the sign-in"),
	createdAt: date("When the user signed in"),
	updatedAt: date("When the session was last extended"),
	expiresAt: date("When the session expires"),
	impersonatedBy: textOrNull("Who impersonates the user, for example member:<user id>"),
});

/** A session as management sees it, without its token: that would let them act as the user. */
export type TenantSession = z.output<typeof tenantSessionSchema>;

export function toTenantSession(session: Session, user: User): TenantSession {
	const { id, name, email } = user;
	return {
		id: session.id,
		userId: id,
		user: { id, name, email, role: roleOf(user) },
		ipAddress: session.ipAddress ?? null,
		userAgent: session.userAgent ?? null,
		createdAt: session.createdAt,
		updatedAt: session.updatedAt,
		expiresAt: session.expiresAt,
		impersonatedBy: findShownImpersonator(session),
	};
}

/** A tenant's users do not see who works for the app, as in the audit log. */
function findShownImpersonator(session: Session): string | null {
	const impersonator = findAnyImpersonator(session);
	const [kind = ""] = impersonator?.split(":") ?? [];
	return impersonator && findActingMember() && kind !== "member" ? kind : impersonator;
}

type Write = (database: DBTransactionAdapter) => Promise<unknown>;

/** One session of a user, or all. */
interface Ending {
	userId: string;
	token?: string | undefined;
}

/**
 * Changes a user, ends their sessions and records it, all or nothing.
 *
 * @returns `null` if a hook of the app kept the sessions
 */
export const endSessionsWith = <Result>(
	ctx: GenericEndpointContext,
	tenant: TenantScope,
	{ user, recheck }: ReachableUser,
	change: () => Promise<Result>,
	describe: (result: Result) => Pick<AuditEntry, "action" | "detail">,
	token?: string,
): Promise<Result | null> =>
	endSessions(ctx.context, tenant, { userId: user.id, token }, async () => {
		await recheck();
		const result = await change();
		await recordAuditEvent(ctx, { ...tenant, targetId: user.id, ...describe(result) });
		return result;
	});

/**
 * Ends sessions of a tenant's user, and runs `alongside` in the same transaction: both or neither. If a
 * hook of the app keeps the sessions, neither happens, and it returns `null`.
 *
 * One write ends the sessions in a secondary storage, and it comes first. If it fails, nothing has
 * changed. If the transaction fails, it is undone, unless the database has ended the sessions.
 */
export function endSessions<Result>(
	ctx: AuthContext,
	tenant: TenantScope,
	{ userId, token }: Ending,
	alongside: () => Promise<Result>,
): Promise<Result | null> {
	return runInScope(requireInstance(ctx), tenant, async () => {
		const ended: { result: Result | null; isKept: boolean } = { result: null, isKept: true };
		const finish = async () => {
			ended.isKept = false;
			ended.result = await alongside();
		};
		const end = () =>
			token === undefined
				? ctx.internalAdapter.deleteUserSessions(userId)
				: ctx.internalAdapter.deleteSession(token);
		const restore = await (token === undefined
			? cutOffSessions(ctx, userId)
			: endStoredSession(ctx, token));
		try {
			await endInTransaction(ctx, end, finish);
		} catch (error) {
			await restore();
			throw error;
		}
		if (ended.isKept) await restore();
		return ended.result;
	});
}

async function endInTransaction(
	ctx: AuthContext,
	end: () => Promise<void>,
	alongside: () => Promise<void>,
): Promise<void> {
	const current = (await getCurrentDBAdapterAsyncLocalStorage()).getStore();
	if (!current?.isTransactionActive) {
		return runWithTransaction(deferSessionWrites(ctx, alongside), end);
	}
	// The app calls us in its own transaction, and core starts no other in it.
	await end();
	await alongside();
}

function deferSessionWrites(ctx: AuthContext, alongside: () => Promise<void>): DBAdapter {
	const { adapter } = ctx;
	return withDeferredWrites<Write>(
		adapter,
		(writes) => ({
			delete: async (query) => {
				if (query.model !== "session") return adapter.delete(query);
				writes.push((database) => database.delete(query));
			},
			deleteMany: async (query) => {
				if (query.model !== "session") return adapter.deleteMany(query);
				return writes.push((database) => database.deleteMany(query));
			},
			// With `preserveSessionInDatabase` core lets them expire.
			updateMany: async (query) => {
				if (query.model !== "session") return adapter.updateMany(query);
				return writes.push((database) => database.updateMany(query));
			},
		}),
		(writes) => {
			if (writes.length === 0 && keepsSessionsInDatabase(ctx)) return null;
			return async (database) => {
				// First: it may lock the tenant's row, and after its first read MySQL shows no later changes.
				await withTransaction(database, alongside);
				for (const write of writes) await write(database);
			};
		},
	);
}
