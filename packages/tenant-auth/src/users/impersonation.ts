import type { AuthContext } from "@better-auth/core";
import type { Session, User } from "@better-auth/core/db";
import type { Actor } from "../audit/audit-event";
import { defineCallState } from "../context/current-state";
import { IMPERSONATOR } from "../context/impersonation";
import { byManagement } from "../context/managed-user";

type InternalAdapter = AuthContext["internalAdapter"];

const LIFETIME_MS = 60 * 60 * 1000;

/** Creates a session in which somebody else acts as the user. It says who. */
export async function createImpersonation(
	{ internalAdapter }: Pick<AuthContext, "internalAdapter">,
	user: User,
	{ kind, id }: Actor,
): Promise<Session | null> {
	const session: Session | null = await byManagement(() =>
		internalAdapter.createSession(
			user.id,
			true,
			{
				[IMPERSONATOR]: id ? `${kind}:${id}` : kind,
				expiresAt: new Date(Date.now() + LIFETIME_MS),
			},
			true,
			// If the transaction fails, the storage must not have the session.
			{ deferSecondaryStorageWrites: true },
		),
	);
	return session;
}

/** The impersonated sessions that the running call has read. */
const impersonated = defineCallState(() => new Set<string>());

/**
 * Ends an impersonation after an hour. Core extends every session that it reads, unless a cookie says
 * that the user does not want to be remembered. A bearer token has no such cookie.
 */
export function limitImpersonation(sessions: InternalAdapter): InternalAdapter {
	const counts = (session: Session): boolean => {
		if (!(IMPERSONATOR in session && session[IMPERSONATOR])) return true;
		impersonated.find()?.add(session.token);
		return new Date(session.createdAt).getTime() + LIFETIME_MS > Date.now();
	};
	return {
		...sessions,
		findSession: async (token) => {
			const found = await sessions.findSession(token);
			return found && counts(found.session) ? found : null;
		},
		findSessions: async (tokens, options) =>
			(await sessions.findSessions(tokens, options)).filter(({ session }) => counts(session)),
		listSessions: async (userId, options) =>
			(await sessions.listSessions(userId, options)).filter(counts),
		updateSession: async (token, changes) => {
			if (!impersonated.find()?.has(token)) return sessions.updateSession(token, changes);
			const { expiresAt: _, ...rest } = changes;
			return sessions.updateSession(token, rest);
		},
	};
}
