import type { AuthContext } from "@better-auth/core";
import type { Session, User } from "@better-auth/core/db";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { currentScope } from "../call/context/current-scope";
import { exists } from "../call/context/gate";
import type { TenantInstance } from "../call/context/request-state";
import { tenantIdIn, tenantIdOf } from "../call/context/tenant";
import { currentAdapter } from "../database/current-adapter";
import type { InternalAdapter, StageParts } from "../database/internal-adapter";
import { isWriteConflict } from "../database/write-conflicts";
import { tenantError } from "../tenant-error";
import {
	type Cutoff,
	deleteStoredSessions,
	findCutoff,
	isMarkedAsEnded,
	parse,
	readsSessionsFromDatabase,
} from "./stored-sessions";

type StoredSession = Pick<Session, "token" | "userId" | "createdAt">;

/** More than anybody has. `findMany` returns 100 otherwise. */
const MAX_SESSIONS = 10_000;

/** Makes a secondary storage as strict about sessions as a database with foreign keys. */
export function checkStoredSessions(
	inner: InternalAdapter,
	ctx: AuthContext,
	instance: TenantInstance,
): StageParts {
	const creation = rejectSessionsOfDeleted(inner, ctx, instance);
	return ctx.options.secondaryStorage
		? { ...creation, ...rejectEndedSessions(inner, ctx) }
		: creation;
}

/** Rejects sessions that were ended one by one, and those before a cutoff. */
function rejectEndedSessions(inner: InternalAdapter, ctx: AuthContext): StageParts {
	async function isValid(session: StoredSession, found: Promise<Cutoff | null>): Promise<boolean> {
		const [cutoff, isEnded] = await Promise.all([found, isMarkedAsEnded(ctx, session.token)]);
		if (isEnded) return false;
		if (!cutoff) return true;
		const created = new Date(session.createdAt).getTime();
		if (created < cutoff.before) return false;
		return !(cutoff.isDeletion || cutoff.isMove) || isOfExistingUser(session);
	}

	/** A serial id may belong to a later user. */
	async function isOfExistingUser(session: StoredSession): Promise<boolean> {
		const user = await inner.findUserById(session.userId);
		if (!user || tenantIdOf(user) !== tenantIdOf(session)) return false;
		return user.createdAt.getTime() <= new Date(session.createdAt).getTime();
	}

	return {
		admits: ({ session }) => isValid(session, findCutoff(ctx, session.userId)),
		listSessions: async (userId, options) => {
			if (readsSessionsFromDatabase(ctx)) return listRows(ctx, userId, options);
			const found = await inner.listSessions(userId, options);
			if (found.length === 0) return found;
			const cutoff = findCutoff(ctx, userId);
			const valid = await Promise.all(found.map((session) => isValid(session, cutoff)));
			return found.filter((_, index) => valid[index]);
		},
	};
}

/**
 * Lists the sessions of a user from the database. Core would use its list in the storage, which may have
 * lost some: then "sign out everywhere else" would leave them. One that has ended in the storage only,
 * because the database did not respond, is in the list: whoever ends it again ends it in both.
 */
async function listRows(
	{ adapter }: AuthContext,
	...[userId, options]: Parameters<InternalAdapter["listSessions"]>
): Promise<Session[]> {
	const isActive = { field: "expiresAt", operator: "gt", value: new Date() } as const;
	return currentAdapter(adapter).findMany<Session>({
		model: "session",
		where: [{ field: "userId", value: userId }, ...(options?.onlyActiveSessions ? [isActive] : [])],
		limit: MAX_SESSIONS,
	});
}

/**
 * Rejects a sign-in whose tenant or user was deleted while it was running.
 *
 * In the database, a session is deleted with its user, or cannot be written after the user is gone. In
 * a secondary storage it would stay until it expires. So there the tenant is read again after the
 * session is written: a deletion that starts later finds the session. Core stores the user with the
 * session, so a user who is gone shows there.
 */
function rejectSessionsOfDeleted(
	inner: InternalAdapter,
	ctx: AuthContext,
	instance: TenantInstance,
): Pick<StageParts, "afterSession" | "sessionError"> {
	const storage = ctx.options.secondaryStorage;

	async function isTenantGone(): Promise<boolean> {
		const tenantId = tenantIdIn(await currentScope(instance));
		if (tenantId === null) return false;
		return !exists(await instance.readTenant(tenantId));
	}

	async function isStoredWithoutUser(token: string): Promise<boolean> {
		const stored: unknown = await storage?.get(token);
		return stored !== null && stored !== undefined && !parse<{ user?: User }>(stored)?.user;
	}

	return {
		sessionError: async (error, userId) => {
			// A transaction that lost has no user any more, although nobody has deleted them.
			if (isWriteConflict(error)) return error;
			if (await isTenantGone().catch(() => false)) return tenantError("TENANT_NOT_FOUND");
			const isUserGone = await inner.findUserById(userId).then(
				(user) => user === null,
				() => false,
			);
			return isUserGone ? userIsGone() : error;
		},
		...(storage ? { afterSession } : {}),
	};

	async function afterSession({ userId, token }: Session): Promise<void> {
		if (await isTenantGone()) {
			// The list of the user's sessions may be deleted already, without this one in it.
			await deleteStoredSessions(ctx, userId, [token]);
			throw tenantError("TENANT_NOT_FOUND");
		}
		if (await isStoredWithoutUser(token)) {
			await deleteStoredSessions(ctx, userId, [token], { keepsCutoff: true });
			throw userIsGone();
		}
	}
}

/** As core does if a session cannot be created. */
const userIsGone = () => APIError.from("UNAUTHORIZED", BASE_ERROR_CODES.FAILED_TO_CREATE_SESSION);
