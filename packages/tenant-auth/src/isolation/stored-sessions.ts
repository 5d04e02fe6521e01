import type { AuthContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { tenantError } from "../tenant-error";

export type Stores = Pick<AuthContext, "options" | "adapter" | "logger">;

/**
 * Ends all sessions of a user that were created before a timestamp.
 *
 * Core finds the sessions in a secondary storage by a list, which it reads, changes and writes back.
 * Simultaneous sign-ins of one user lose entries of that list, and these sessions could not be ended.
 * So the storage also has a cutoff for the user: one write ends all of them, and it either happens or
 * fails. Deleting the sessions themselves only saves space.
 */
export interface Cutoff {
	/** Sessions that were created earlier are not valid. */
	before: number;
	/**
	 * The user was being deleted. A sign-in that was running may have created a later session, so the
	 * user must exist.
	 */
	isDeletion: boolean;
	/**
	 * The user was moved to a tenant. Core writes a session back that it has read before, so a session
	 * is valid only if the user is in its tenant.
	 */
	isMove?: boolean;
}

/** No session has a token like that: isolateSessions rejects it. */
const KEY_PREFIX = "tenant-auth:session-cutoff:";
const keyOf = (userId: string) => KEY_PREFIX + userId;

/**
 * Marks one session as ended. Core updates a stored session by reading and writing it, so an update that
 * was running would bring the session back.
 */
const ENDED_PREFIX = "tenant-auth:session-ended:";
const endedKeyOf = (token: string) => ENDED_PREFIX + token;

export const isMarkedAsEnded = async ({ options }: Stores, token: string): Promise<boolean> =>
	Boolean(await options.secondaryStorage?.get(endedKeyOf(token)));

/** Core's list of a user's sessions. */
const LIST_PREFIX = "active-sessions-";
/** Core's own cutoff of a user, in newer versions. */
const REVOKED_PREFIX = "revoked-sessions-before-";

/** Keys of a storage beside the sessions'. A bearer token is whatever the client sends. */
export const isReservedKey = (token: string) =>
	[LIST_PREFIX, REVOKED_PREFIX, KEY_PREFIX, ENDED_PREFIX].some((prefix) =>
		token.startsWith(prefix),
	);

const DAY = 24 * 60 * 60;

/** Twice as long as a session can live: a request that runs now may still extend one. */
function lifetimeOf({ session }: AuthContext["options"]): number {
	return 2 * Math.max(session?.expiresIn ?? 7 * DAY, DAY);
}

export async function findCutoff({ options }: Stores, userId: string): Promise<Cutoff | null> {
	const stored: unknown = await options.secondaryStorage?.get(keyOf(userId));
	return parse<Cutoff>(stored);
}

/** Some storages parse JSON themselves. */
export function parse<T>(stored: unknown): T | null {
	if (!stored) return null;
	return (typeof stored === "string" ? JSON.parse(stored) : stored) as T;
}

/** Puts the storage back as it was. */
type Restore = () => Promise<unknown>;

/**
 * Ends the sessions that a user has in a secondary storage, or throws and changes nothing.
 *
 * @throws APIError `STORAGE_UNAVAILABLE`
 */
export async function cutOffSessions(
	ctx: Stores,
	userId: string,
	{ isDeletion = false } = {},
): Promise<Restore> {
	const storage = ctx.options.secondaryStorage;
	if (!storage) return async () => {};
	const write = (cutoff: Cutoff) =>
		storage.set(keyOf(userId), JSON.stringify(cutoff), lifetimeOf(ctx.options));
	return requireStorage(ctx, async () => {
		const last = await findCutoff(ctx, userId);
		await write({
			...last,
			before: Date.now(),
			isDeletion: isDeletion || last?.isDeletion === true,
		});
		return async () => (last ? write(last) : storage.delete(keyOf(userId)));
	});
}

/**
 * Ends one session in a secondary storage, or throws and changes nothing. Its entry in core's list stays:
 * it does no harm, and to write the list would lose others.
 *
 * @throws APIError `STORAGE_UNAVAILABLE`
 */
export async function endStoredSession(ctx: Stores, token: string): Promise<Restore> {
	const storage = ctx.options.secondaryStorage;
	if (!storage) return async () => {};
	return requireStorage(ctx, async () => {
		const entry = parse<{ session: { expiresAt: string } }>(await storage.get(token));
		const restore = async () => {
			await storage.delete(endedKeyOf(token));
			if (!entry) return;
			const ttl = Math.floor((new Date(entry.session.expiresAt).getTime() - Date.now()) / 1000);
			if (ttl > 0) await storage.set(token, JSON.stringify(entry), ttl);
		};
		await storage.delete(token);
		await Promise.resolve(storage.set(endedKeyOf(token), "1", lifetimeOf(ctx.options))).catch(
			async (error: unknown) => {
				await restore();
				throw error;
			},
		);
		return restore;
	});
}

/**
 * From now on, a session of the user is valid only in the tenant that the user is in. It does no harm if
 * the user stays where they are.
 *
 * @throws APIError `STORAGE_UNAVAILABLE`
 */
export async function noteMove(ctx: Stores, userId: string): Promise<void> {
	const storage = ctx.options.secondaryStorage;
	if (!storage) return;
	await requireStorage(ctx, async () => {
		const last = await findCutoff(ctx, userId);
		const cutoff: Cutoff = { before: 0, isDeletion: false, ...last, isMove: true };
		await storage.set(keyOf(userId), JSON.stringify(cutoff), lifetimeOf(ctx.options));
	});
}

interface StoredEntry {
	session: Record<string, unknown> & { expiresAt: string };
	user: object;
}

/**
 * Changes the sessions that a secondary storage has of a user. A session that the list has lost does not
 * change.
 *
 * @param change returns the new entry, or `null` to end the session
 */
export async function rewriteStoredSessions(
	ctx: Stores,
	userId: string,
	change: (entry: StoredEntry) => StoredEntry | null,
): Promise<void> {
	const storage = ctx.options.secondaryStorage;
	if (!storage) return;
	await requireStorage(ctx, async () => {
		const list: { token: string }[] = parse(await storage.get(LIST_PREFIX + userId)) ?? [];
		for (const { token } of list) {
			const entry = parse<StoredEntry>(await storage.get(token));
			if (!entry) continue;
			const changed = change(entry);
			const ttl = Math.floor((new Date(entry.session.expiresAt).getTime() - Date.now()) / 1000);
			if (!changed || ttl <= 0) await storage.delete(token);
			else await storage.set(token, JSON.stringify(changed), ttl);
		}
	});
}

/** Fails early, before any hook of the app has run. */
export async function requireReachableStorage(ctx: Stores, userId: string): Promise<void> {
	await requireStorage(ctx, () => findCutoff(ctx, userId));
}

/** Turns a failure of the storage into an error that asks the caller to repeat the call. */
export async function requireStorage<T>(
	{ logger, options }: Stores,
	work: () => Promise<T>,
): Promise<T> {
	if (!options.secondaryStorage) return work();
	try {
		return await work();
	} catch (error) {
		if (error instanceof APIError) throw error;
		logger.error("tenantAuth: the secondary storage failed", error);
		throw tenantError("STORAGE_UNAVAILABLE");
	}
}

/**
 * Deletes what a secondary storage has of a user. Core shortens its list of the user's sessions before it
 * deletes them. Here the order allows to repeat the call after a crash.
 *
 * @param tokens more sessions of the user: the list may have lost some
 * @param keepsCutoff whether sessions that the list has lost must not be valid again
 */
export async function deleteStoredSessions(
	ctx: Stores,
	userId: string,
	tokens: string[] = [],
	{ keepsCutoff = false } = {},
): Promise<void> {
	const storage = ctx.options.secondaryStorage;
	if (!storage) return;
	const listKey = LIST_PREFIX + userId;
	await requireStorage(ctx, async () => {
		const stored: unknown = await storage.get(listKey);
		const list: { token: string }[] = parse(stored) ?? [];
		for (const token of new Set([...tokens, ...list.map(({ token }) => token)])) {
			await storage.delete(token);
		}
		await storage.delete(listKey);
		if (!keepsCutoff) await storage.delete(keyOf(userId));
	});
}

/** Deletes core's cutoffs of users whose tenant is deleted: the gate refuses all its sessions. */
export async function deleteCoreCutoffs(ctx: Stores, userIds: string[]): Promise<void> {
	const storage = ctx.options.secondaryStorage;
	if (!storage) return;
	await requireStorage(ctx, () =>
		Promise.all(userIds.map((userId) => storage.delete(REVOKED_PREFIX + userId))),
	);
}
