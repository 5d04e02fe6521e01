import type { AuthContext } from "@better-auth/core";
import { runWithAdapter, runWithTransaction } from "@better-auth/core/context";
import type { DBAdapter, DBTransactionAdapter } from "@better-auth/core/db/adapter";

interface Deletion {
	model: string;
	/** Tells how many rows are gone. */
	run: (database: DBTransactionAdapter) => Promise<number>;
}

/**
 * Lets a user go as a whole or not at all. Core deletes the sessions, then the accounts, then the
 * user: one who stays, because a hook says so or the last step fails, could not sign in any more.
 */
export function deleteUsersWhole(ctx: AuthContext): AuthContext["internalAdapter"] {
	const { internalAdapter } = ctx;
	return {
		...internalAdapter,
		deleteUser: async (userId) => {
			await deleteUserWhole({ ...ctx, internalAdapter }, userId);
		},
	};
}

/** Tells whether this call has deleted the user; then `alongside` is done in the same transaction. */
export async function deleteUserWhole(
	{ adapter, internalAdapter }: Pick<AuthContext, "adapter" | "internalAdapter">,
	userId: string,
	alongside = async () => {},
): Promise<boolean> {
	let isDeleted = false;
	const note = async () => {
		isDeleted = true;
		await alongside();
	};
	await runWithTransaction(deletingAtTheEnd(adapter, note), () =>
		internalAdapter.deleteUser(userId),
	);
	return isDeleted;
}

/**
 * An adapter whose transaction consists of the deletions only, made at its end. The host's hooks run
 * before it: one that used a connection of its own would wait for the transaction's on SQLite.
 */
function deletingAtTheEnd(adapter: DBAdapter, alongside: () => Promise<void>): DBAdapter {
	return {
		...adapter,
		transaction: async (work) => {
			const deletions: Deletion[] = [];
			const failures: unknown[] = [];
			const result = await work({
				...adapter,
				// Core takes a read that fails for a row that is not there.
				findMany: <T>(query: Parameters<DBAdapter["findMany"]>[0]) =>
					adapter.findMany<T>(query).catch((error) => {
						failures.push(error);
						throw error;
					}),
				// Not `delete`, which tells nothing: another call may have deleted the user meanwhile.
				delete: async (query) => {
					deletions.push({ model: query.model, run: (database) => database.deleteMany(query) });
				},
				deleteMany: async (query) => {
					deletions.push({ model: query.model, run: (database) => database.deleteMany(query) });
					return 0;
				},
			});
			if (failures.length > 0) throw failures[0];
			if (!deletions.some(({ model }) => model === "user")) return result;
			await adapter.transaction(async (database) => {
				let users = 0;
				for (const { model, run } of deletions) {
					const count = await run(database);
					if (model === "user") users += count;
				}
				if (users > 0) await runWithAdapter(database as DBAdapter, alongside);
			});
			return result;
		},
	};
}
