import type { AuthContext } from "@better-auth/core";

// With a secondary storage these tables exist only on request.
export const keepsSessionsInDatabase = ({ options, tables }: AuthContext) =>
	Boolean(tables.session) &&
	(!options.secondaryStorage || options.session?.storeSessionInDatabase === true);
export const keepsVerificationsInDatabase = ({ options, tables }: AuthContext) =>
	Boolean(tables.verification) &&
	(!options.secondaryStorage || options.verification?.storeInDatabase === true);

/**
 * Sessions in a secondary storage are found through their user only, by a list that core shortens
 * before it deletes the session. Here both go in the order that a crash can be resumed from.
 */
export async function eraseStoredSessions(ctx: AuthContext, userId: string): Promise<void> {
	const storage = ctx.options.secondaryStorage;
	if (!storage) return;
	for (const { token } of await ctx.internalAdapter.listSessions(userId)) {
		await storage.delete(token);
	}
	await storage.delete(`active-sessions-${userId}`);
}
