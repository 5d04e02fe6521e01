import type { AuthContext } from "@better-auth/core";
import { runWithTransaction } from "@better-auth/core/context";
import type { DBAdapter, DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import type { BatchSize } from "../../database/batch-size";
import { noteDeferredWrites } from "../../database/deferred-writes";
import type { Throttle } from "../../database/throttle";
import { retryConflicts } from "../../database/write-conflicts";
import { idOf, withIds } from "../../isolation/row-owners";
import { keepsSessionsInDatabase } from "../../isolation/storage";
import { deleteCoreCutoffs, deleteStoredSessions } from "../../isolation/stored-sessions";

const MAX_ROWS = 250;

export type UserRow = { id: string };

/** How fast a purge may be: others are served meanwhile. */
export interface Pace {
	throttle: Throttle;
	size: BatchSize;
}

type Rows = Record<string, unknown>[];

/**
 * Deletes users with their sessions and accounts.
 *
 * Core deletes one user at a time, with three reads, three deletions and the hooks of the app and of
 * every plugin. Only core can call these hooks. So if there may be any, core deletes the users here too.
 * But its reads are served from rows that were read for all users at once, and its deletions run for
 * all users at the end, whatever a hook returns. Hooks after a deletion wait for that, as for the end of
 * a transaction.
 */
export async function purgeUsers(
	ctx: AuthContext,
	users: UserRow[],
	{ throttle, size }: Pace,
): Promise<void> {
	const { adapter } = ctx;
	const ofThese: Where[] = [{ field: "userId", operator: "in", value: users.map(({ id }) => id) }];
	const find = (model: string) =>
		adapter.findMany<Rows[number]>({ model, where: ofThese, limit: MAX_ROWS });
	const sessions = keepsSessionsInDatabase(ctx) ? await find("session") : [];
	const accounts = await find("account");
	await throttle();

	const isAll = sessions.length < MAX_ROWS && accounts.length < MAX_ROWS;
	if (!isAll && users.length > 1) {
		const half = Math.ceil(users.length / 2);
		await purgeUsers(ctx, users.slice(0, half), { throttle, size });
		return purgeUsers(ctx, users.slice(half), { throttle, size });
	}

	const tokensOf = (userId: string) =>
		sessions.flatMap((it) => (it.userId === userId ? [String(it.token)] : []));
	await Promise.all(users.map(({ id }) => deleteStoredSessions(ctx, id, tokensOf(id))));

	const deleteAll = async () => {
		if (!isAll) {
			if (keepsSessionsInDatabase(ctx)) await purgeRows(adapter, "session", ofThese, throttle);
			await purgeRows(adapter, "account", ofThese, throttle);
		}
		// One transaction: the database writes to the disk once, not for every statement.
		const deletion = async (database: DBTransactionAdapter) => {
			await deleteRows(database, "session", isAll ? sessions : []);
			await deleteRows(database, "account", isAll ? accounts : []);
			await deleteRows(database, "user", users);
		};
		await size.measure(() => retryConflicts(() => adapter.transaction(deletion)));
		await throttle();
	};
	if (mayCallHooks(ctx)) {
		const known = new Map(users.flatMap((user) => knownOf(user, sessions, accounts)));
		await runWithTransaction(withPrefetchedReads(adapter, known, deleteAll), async () => {
			for (const { id } of users) {
				await ctx.internalAdapter.deleteUser(id);
				// Core finds all rows in memory, so nothing else would let others run.
				await throttle();
			}
		});
	} else await deleteAll();
	await deleteCoreCutoffs(
		ctx,
		users.map(({ id }) => id),
	);
}

/** Better Auth does not say which hooks the `init` of a plugin has added. */
function mayCallHooks({ options: { databaseHooks, plugins = [] } }: AuthContext): boolean {
	const { user, session, account } = databaseHooks ?? {};
	if (user?.delete || session?.delete || account?.delete) return true;
	return plugins.some(({ id, init }) => init && id !== "tenant-auth");
}

type Known = ReadonlyMap<string, Rows>;

/** The rows that core reads when it deletes the user, by its query. */
const knownOf = (user: UserRow, sessions: Rows, accounts: Rows): [string, Rows][] => {
	const isTheirs = ({ userId }: Rows[number]) => userId === user.id;
	return [
		[`session userId ${user.id}`, sessions.filter(isTheirs)],
		[`account userId ${user.id}`, accounts.filter(isTheirs)],
		[`user id ${user.id}`, [user]],
	];
};

/** An adapter that reads known rows from memory, and deletes them at the end of its "transaction". */
function withPrefetchedReads(
	adapter: DBAdapter,
	known: Known,
	deleteAll: () => Promise<void>,
): DBAdapter {
	const findKnown = ({ model, where = [] }: { model: string; where?: Where[] | undefined }) => {
		const [condition, ...more] = where;
		if (!condition || more.length > 0 || (condition.operator ?? "eq") !== "eq") return undefined;
		return known.get(`${model} ${condition.field} ${condition.value}`);
	};
	const batched: DBTransactionAdapter = {
		...adapter,
		findMany: async <T>(query: Parameters<DBAdapter["findMany"]>[0]) =>
			(findKnown(query) as T[] | undefined) ?? adapter.findMany<T>(query),
		delete: async (query) => {
			if (!findKnown(query)) await adapter.delete(query);
		},
		deleteMany: async (query) => findKnown(query)?.length ?? adapter.deleteMany(query),
	};
	noteDeferredWrites(batched);
	return {
		...adapter,
		transaction: async (work) => {
			const result = await work(batched);
			await deleteAll();
			return result;
		},
	};
}

/** Small, so that a statement takes no longer than a small request: on SQLite all others wait. */
const BATCH = 25;

/** Deletes the rows that a condition finds, in small batches: no statement holds locks for long. */
export async function purgeRows(
	adapter: DBAdapter,
	model: string,
	where: Where[],
	throttle: Throttle,
): Promise<void> {
	for (;;) {
		const rows = await adapter.findMany({ model, where, select: ["id"], limit: BATCH });
		await throttle();
		await retryConflicts(() => deleteRows(adapter, model, rows));
		await throttle();
		if (rows.length < BATCH) return;
	}
}

async function deleteRows(
	adapter: Pick<DBAdapter, "deleteMany">,
	model: string,
	rows: unknown[],
): Promise<void> {
	for (let start = 0; start < rows.length; start += BATCH) {
		const ids = rows.slice(start, start + BATCH).map(idOf);
		await adapter.deleteMany({ model, where: [withIds(ids)] });
	}
}
