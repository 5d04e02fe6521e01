import type { AuthContext } from "@better-auth/core";
import type { Where } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import { currentAdapter } from "../database/current-adapter";
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

/** Whether core reads sessions from the database that are not in the storage. */
export const readsSessionsFromDatabase = ({ options: { session } }: Pick<Stores, "options">) =>
	session?.storeSessionInDatabase === true && session.preserveSessionInDatabase !== true;

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

export async function listedTokens({ options }: Stores, userId: string): Promise<string[]> {
	const list: unknown = await options.secondaryStorage?.get(LIST_PREFIX + userId);
	return (parse<{ token: string }[]>(list) ?? []).map(({ token }) => token);
}

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
	return parse<Cutoff>(await options.secondaryStorage?.get(keyOf(userId)));
}

/** Some storages parse JSON themselves. */
export function parse<T>(stored: unknown): T | null {
	if (!stored) return null;
	return (typeof stored === "string" ? JSON.parse(stored) : stored) as T;
}

/** Puts the storage back as it was, unless the sessions have ended all the same. */
type Restore = () => Promise<unknown>;

/** Writes an entry of ours. The result takes it back, if nobody has written another one since. */
async function writeNote<T extends object>(
	{ options }: Stores,
	key: string,
	change: (last: T | null) => T,
): Promise<Restore> {
	const storage = options.secondaryStorage;
	const read = async () => parse<T & { id?: string }>(await storage?.get(key));
	const write = (note: T) => storage?.set(key, JSON.stringify(note), lifetimeOf(options));
	const last = await read();
	const own = { ...change(last), id: crypto.randomUUID() };
	await write(own);
	return async () => {
		if ((await read())?.id === own.id) await (last ? write(last) : storage?.delete(key));
	};
}

/** @throws APIError `STORAGE_UNAVAILABLE` */
export const changeCutoff = (
	ctx: Stores,
	userId: string,
	change: (last: Cutoff | null) => Cutoff,
): Promise<Restore> => requireStorage(ctx, () => writeNote(ctx, keyOf(userId), change));

/**
 * A transaction that failed for us may have ended the sessions: the response to its commit was lost, or
 * another caller was faster. So the storage is only put back if the database still has one of them, or
 * if it never has sessions. If it does not respond, they stay ended.
 */
async function restoreUnlessEnded(ctx: Stores, where: Where[], restore: Restore): Promise<void> {
	const isActive: Where = { field: "expiresAt", operator: "gt", value: new Date() };
	const query = { model: "session", where: [...where, isActive], limit: 1 };
	const isStored = async () => (await currentAdapter(ctx.adapter).findMany(query)).length > 0;
	try {
		if (!ctx.options.session?.storeSessionInDatabase || (await isStored())) await restore();
	} catch (error) {
		ctx.logger.error("tenantAuth: sessions stay ended, although a transaction failed", error);
	}
}

/**
 * Ends the sessions that a user has in a secondary storage, or throws `STORAGE_UNAVAILABLE` and changes
 * nothing.
 */
export async function cutOffSessions(
	ctx: Stores,
	userId: string,
	{ isDeletion = false } = {},
): Promise<Restore> {
	if (!ctx.options.secondaryStorage) return async () => {};
	const now = new Date();
	const restore = await changeCutoff(ctx, userId, (last) => ({
		...last,
		before: Math.max(now.getTime(), last?.before ?? 0),
		isDeletion: isDeletion || last?.isDeletion === true,
	}));
	const where: Where[] = [
		{ field: "userId", value: userId },
		{ field: "createdAt", operator: "lt", value: now },
	];
	return () => restoreUnlessEnded(ctx, where, restore);
}

/**
 * Ends one session in a secondary storage, or throws `STORAGE_UNAVAILABLE` and changes nothing. Its entry
 * in core's list stays: it does no harm, and to write the list would lose others.
 */
export async function endStoredSession(ctx: Stores, token: string): Promise<Restore> {
	const storage = ctx.options.secondaryStorage;
	if (!storage) return async () => {};
	return requireStorage(ctx, async () => {
		const entry = parse<StoredEntry>(await storage.get(token));
		const unmark = await writeNote(ctx, endedKeyOf(token), () => ({}));
		// It only saves space, so it may fail. If core did it, it would write its list.
		await Promise.resolve(storage.delete(token)).catch(() => {});
		return () =>
			restoreUnlessEnded(ctx, [{ field: "token", value: token }], async () => {
				// While it is marked, it is not valid. Core reads it from the database if it is there.
				if (entry && !readsSessionsFromDatabase(ctx)) await storeEntry(ctx, token, entry);
				await unmark();
			});
	});
}

export interface StoredEntry {
	session: Record<string, unknown> & { expiresAt: string };
	user: object;
}

export async function storeEntry({ options }: Stores, token: string, entry: StoredEntry) {
	const ttl = Math.floor((new Date(entry.session.expiresAt).getTime() - Date.now()) / 1000);
	if (ttl > 0) await options.secondaryStorage?.set(token, JSON.stringify(entry), ttl);
	else await options.secondaryStorage?.delete(token);
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
	await requireStorage(ctx, async () => {
		for (const token of new Set([...tokens, ...(await listedTokens(ctx, userId))])) {
			await storage.delete(token);
		}
		await storage.delete(LIST_PREFIX + userId);
		if (!keepsCutoff) await storage.delete(keyOf(userId));
	});
}

/** Deletes core's cutoffs of users whose tenant is deleted: the gate refuses all its sessions. */
export async function deleteCoreCutoffs(ctx: Stores, userIds: string[]): Promise<void> {
	const { secondaryStorage: storage } = ctx.options;
	const remove = (userId: string) => storage?.delete(REVOKED_PREFIX + userId);
	await requireStorage(ctx, () => Promise.all(userIds.map(remove)));
}
