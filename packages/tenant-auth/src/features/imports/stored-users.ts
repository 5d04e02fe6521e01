import type { AuthContext } from "@better-auth/core";
import { acrossTenants } from "../../call/context/current-state";
import type { Row } from "../../isolation/raw-adapter";
import { idOf, inBatches, withIds } from "../../isolation/row-owners";
import { rewriteStoredSessions } from "../../isolation/stored-sessions";

type StoredSession = Row & { expiresAt: string };

/**
 * Writes users as they are now into their sessions in a secondary storage, which has a copy of the user
 * with each session.
 *
 * @param change returns the session as it is now, or `null` to end it
 * @throws APIError `STORAGE_UNAVAILABLE`
 */
export async function rewriteSessionsOf(
	ctx: AuthContext,
	userIds: string[],
	change: (session: StoredSession) => StoredSession | null,
): Promise<void> {
	if (!ctx.options.secondaryStorage) return;
	for (const batch of inBatches(userIds)) {
		const query = { model: "user", where: [withIds(batch)], limit: batch.length };
		for (const user of await acrossTenants(() => ctx.adapter.findMany<Row>(query))) {
			await rewriteStoredSessions(ctx, idOf(user), (entry) => {
				const session = change(entry.session);
				return session && { session, user };
			});
		}
	}
}
