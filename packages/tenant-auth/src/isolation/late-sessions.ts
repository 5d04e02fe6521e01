import type { AuthContext } from "@better-auth/core";
import { currentScope } from "../context/current-scope";
import { ACROSS, PLATFORM_ID } from "../context/scope";
import { findTenant } from "../tenants/store";
import { tenantNotFound } from "../tenants/tenant-errors";
import { eraseStoredSessions } from "./stored-sessions";

type InternalAdapter = AuthContext["internalAdapter"];

/**
 * Refuses a sign-in to a tenant that was deleted while it was under way.
 *
 * In the database a session goes with its user, or cannot be written once the user is gone. In a
 * secondary storage it would outlive both. So there the tenant is looked at again when the session is
 * written: whoever deletes the tenant after that finds the session.
 */
export function refuseLateSessions(ctx: AuthContext, sessions: InternalAdapter): InternalAdapter {
	async function isTenantGone(): Promise<boolean> {
		const scope = await currentScope();
		if (scope === ACROSS || scope.tenantId === PLATFORM_ID) return false;
		const tenant = await findTenant(ctx, "id", scope.tenantId);
		return !tenant || tenant.erasingSince !== null;
	}

	return {
		...sessions,
		createSession: async (...input) => {
			const session = await sessions.createSession(...input).catch(async (error: unknown) => {
				throw (await isTenantGone().catch(() => false)) ? tenantNotFound() : error;
			});
			const storage = ctx.options.secondaryStorage;
			if (storage && (await isTenantGone())) {
				// The list of the user's sessions may be gone already, and this one not in it.
				await storage.delete(session.token);
				await eraseStoredSessions(ctx, session.userId);
				throw tenantNotFound();
			}
			return session;
		},
	};
}
