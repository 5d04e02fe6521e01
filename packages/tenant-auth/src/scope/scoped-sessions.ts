import type { AuthContext } from "@better-auth/core";
import { currentScope } from "./current-scope";
import { ACROSS, acrossTenants, findRequestScope, scopeOfRow, settle } from "./scope";

type InternalAdapter = AuthContext["internalAdapter"];

/**
 * Lets a session count in its own tenant only, wherever it is kept.
 *
 * Sessions do not always come through the database adapter: with `secondaryStorage` they are read
 * and deleted there by their token. So the check stands in front of both, at the one place where
 * core asks for a session.
 */
export function scopeSessions(sessions: InternalAdapter): InternalAdapter {
	const findSession: InternalAdapter["findSession"] = async (token) => {
		const found = await acrossTenants(() => sessions.findSession(token));
		return found && (await admits(found.session)) ? found : null;
	};
	return {
		...sessions,
		findSession,
		findSessions: async (tokens, options) => {
			const found = await acrossTenants(() => sessions.findSessions(tokens, options));
			const scope = await currentScope();
			if (scope === ACROSS) return found;
			return found.filter(({ session }) => scopeOfRow(session).tenantId === scope.tenantId);
		},
		updateSession: async (token, data) =>
			(await findSession(token)) ? sessions.updateSession(token, data) : null,
		deleteSession: async (token) => {
			// One of another tenant lives on: whoever presents it here is only refused.
			if (await findSession(token)) await sessions.deleteSession(token);
		},
	};
}

/**
 * The first session that is found for a request settles its scope, unless the request has named a
 * tenant already: then a session of another one does not count.
 */
async function admits(session: object): Promise<boolean> {
	const request = await findRequestScope();
	if (!request || request.scope === ACROSS) return true;
	const own = scopeOfRow(session);
	// Where an OAuth state tells the tenant, no session may do so before it.
	if (!request.scope && request.awaits !== "oauth-state") settle(request, own);
	if (request.scope && request.scope !== ACROSS && request.scope.tenantId === own.tenantId) return true;
	request.sessionRefused = true;
	return false;
}
