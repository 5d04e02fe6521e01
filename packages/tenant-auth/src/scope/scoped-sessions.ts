import type { AuthContext } from "@better-auth/core";
import { currentScope } from "./current-scope";
import { ACROSS, acrossTenants, findRequestScope, scopeOfRow } from "./scope";

type InternalAdapter = AuthContext["internalAdapter"];

/**
 * Lets a session count in its own tenant only, wherever it is kept.
 *
 * Sessions do not always come through the database adapter: with `secondaryStorage` they are read
 * from there by their token. So the check stands in front of both, at the one place where core asks
 * for a session.
 */
export function scopeSessions(sessions: InternalAdapter): InternalAdapter {
	return {
		...sessions,
		findSession: async (token) => {
			const found = await acrossTenants(() => sessions.findSession(token));
			return found && (await admits(found.session)) ? found : null;
		},
		findSessions: async (tokens, options) => {
			const found = await acrossTenants(() => sessions.findSessions(tokens, options));
			const scope = await currentScope();
			if (scope === ACROSS) return found;
			return found.filter(({ session }) => scopeOfRow(session).tenantId === scope.tenantId);
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
	request.scope ??= own;
	if (request.scope.tenantId === own.tenantId) return true;
	request.sessionRefused = true;
	return false;
}
