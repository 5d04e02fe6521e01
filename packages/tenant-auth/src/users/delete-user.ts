import type { AuthContext } from "@better-auth/core";
import { runWithTransaction } from "@better-auth/core/context";
import type { DBAdapter, DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { withDeferredWrites, withTransaction } from "../database/deferred-writes";

interface Deletion {
	model: string;
	/** Returns the number of deleted rows. */
	run: (database: DBTransactionAdapter) => Promise<number>;
}

/**
 * Makes core delete a user completely or not at all. Core deletes the sessions, then the accounts, then
 * the user. A user who stays, because a hook keeps them or the last step fails, could not sign in any
 * more.
 */
export function deleteUsersAtomically(ctx: AuthContext): AuthContext["internalAdapter"] {
	const { internalAdapter } = ctx;
	return {
		...internalAdapter,
		deleteUser: async (userId) => {
			await deleteUserAtomically({ ...ctx, internalAdapter }, userId);
		},
	};
}

/**
 * Deletes a user, and runs `alongside` in the same transaction.
 *
 * @returns whether this call has deleted the user: another one may have done it meanwhile
 */
export async function deleteUserAtomically(
	{ adapter, internalAdapter }: Pick<AuthContext, "adapter" | "internalAdapter">,
	userId: string,
	alongside = async () => {},
): Promise<boolean> {
	let isDeleted = false;
	const deferring = deferDeletions(adapter, async () => {
		isDeleted = true;
		await alongside();
	});
	await runWithTransaction(deferring, () => internalAdapter.deleteUser(userId));
	return isDeleted;
}

function deferDeletions(adapter: DBAdapter, alongside: () => Promise<void>): DBAdapter {
	return withDeferredWrites<Deletion>(
		adapter,
		(deletions) => {
			// Not `delete`, which does not return whether the row was there.
			const defer = (query: Parameters<DBAdapter["deleteMany"]>[0]) =>
				deletions.push({ model: query.model, run: (database) => database.deleteMany(query) });
			return {
				delete: async (query) => void defer(query),
				deleteMany: async (query) => {
					defer(query);
					return 0;
				},
			};
		},
		(deletions) => {
			if (!deletions.some(({ model }) => model === "user")) return null;
			return async (database) => {
				let users = 0;
				for (const { model, run } of deletions) {
					const count = await run(database);
					if (model === "user") users += count;
				}
				if (users > 0) await withTransaction(database, alongside);
			};
		},
	);
}
