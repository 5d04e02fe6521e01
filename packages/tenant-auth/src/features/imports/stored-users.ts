import type { AuthContext } from "@better-auth/core";
import { acrossTenants } from "../../call/context/current-state";
import type { Row } from "../../isolation/raw-adapter";
import { idOf, inBatches, withIds } from "../../isolation/row-owners";
import {
	changeCutoff,
	listedTokens,
	parse,
	requireStorage,
	type StoredEntry,
	storeEntry,
} from "../../isolation/stored-sessions";

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
			await requireStorage(ctx, () =>
				rewriteStoredSessions(ctx, idOf(user), ({ session }) => {
					const changed = change(session);
					return changed && { session: changed, user };
				}),
			);
		}
	}
}

/** A session that the list has lost does not change. */
async function rewriteStoredSessions(
	ctx: AuthContext,
	userId: string,
	change: (entry: StoredEntry) => StoredEntry | null,
): Promise<void> {
	const storage = ctx.options.secondaryStorage;
	if (!storage) return;
	for (const token of await listedTokens(ctx, userId)) {
		const entry = parse<StoredEntry>(await storage.get(token));
		if (!entry) continue;
		const changed = change(entry);
		if (changed) await storeEntry(ctx, token, changed);
		else await storage.delete(token);
	}
}

/**
 * From now on, a session of the user is valid only in the tenant that the user is in. It does no harm if
 * the user stays where they are.
 *
 * @throws APIError `STORAGE_UNAVAILABLE`
 */
export async function noteMove(ctx: AuthContext, userId: string): Promise<void> {
	const first = { before: 0, isDeletion: false };
	if (!ctx.options.secondaryStorage) return;
	await changeCutoff(ctx, userId, (last) => ({ ...first, ...last, isMove: true }));
}
