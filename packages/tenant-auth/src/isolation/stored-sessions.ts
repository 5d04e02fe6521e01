import type { AuthContext } from "@better-auth/core";
import { currentScope } from "../context/current-scope";
import type { TenantInstance } from "../context/request-state";
import { tenantIdIn } from "../context/scope";
import { tenantError } from "../tenant-error";

type InternalAdapter = AuthContext["internalAdapter"];

// With a secondary storage these tables exist only on request.
export const keepsSessionsInDatabase = ({ options, tables }: AuthContext) =>
	Boolean(tables.session) &&
	(!options.secondaryStorage || options.session?.storeSessionInDatabase === true);
export const keepsVerificationsInDatabase = ({ options, tables }: AuthContext) =>
	Boolean(tables.verification) &&
	(!options.secondaryStorage || options.verification?.storeInDatabase === true);

/**
 * Deletes a user's sessions from a secondary storage. They are found by a list only, which core
 * shortens before it deletes the session. Here the order allows to repeat the call after a crash.
 */
export async function deleteStoredSessions(ctx: AuthContext, userId: string): Promise<void> {
	const storage = ctx.options.secondaryStorage;
	if (!storage) return;
	for (const { token } of await ctx.internalAdapter.listSessions(userId)) {
		await storage.delete(token);
	}
	await storage.delete(`active-sessions-${userId}`);
}

/**
 * Rejects a sign-in to a tenant that was deleted while it was running.
 *
 * In the database, a session is deleted with its user, or cannot be written after the user is gone. In
 * a secondary storage it would stay until it expires. So there the tenant is read again after the
 * session is written: a deletion that starts later finds the session.
 */
export function rejectSessionsOfDeletedTenants(
	ctx: AuthContext,
	sessions: InternalAdapter,
	instance: TenantInstance,
): InternalAdapter {
	async function isTenantGone(): Promise<boolean> {
		const tenantId = tenantIdIn(await currentScope(instance));
		if (tenantId === null) return false;
		const tenant = await instance.readTenant(tenantId);
		return !tenant || tenant.erasingSince !== null;
	}

	return {
		...sessions,
		createSession: async (...input) => {
			const session = await sessions.createSession(...input).catch(async (error: unknown) => {
				throw (await isTenantGone().catch(() => false)) ? tenantError("TENANT_NOT_FOUND") : error;
			});
			const storage = ctx.options.secondaryStorage;
			if (storage && (await isTenantGone())) {
				// The list of the user's sessions may be deleted already, without this one in it.
				await storage.delete(session.token);
				await deleteStoredSessions(ctx, session.userId);
				throw tenantError("TENANT_NOT_FOUND");
			}
			return session;
		},
	};
}
