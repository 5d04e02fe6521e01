import type { AuthContext } from "@better-auth/core";
import { runWithTransaction } from "@better-auth/core/context";
import type { User } from "@better-auth/core/db";
import type { DBAdapter, DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { isByManagement } from "../../call/context/policy-check";
import { findTransaction, withTransaction } from "../../database/deferred-writes";
import type { InternalAdapter, StageParts } from "../../database/internal-adapter";
import { retryConflicts } from "../../database/write-conflicts";
import { findOwnerCheck, mayEndOwnership, type OwnerCheck } from "./owners";

type Updating = Pick<AuthContext, "adapter" | "internalAdapter">;
type Changes = Record<string, unknown>;

/**
 * Makes core keep the last owner of a tenant, and lets only this plugin write the role and the state of
 * a user.
 */
export function updateUsersAtomically(inner: InternalAdapter, ctx: AuthContext): StageParts {
	const core = { ...ctx, internalAdapter: inner };
	return {
		createUser: async (user, ...rest) => {
			rejectProtectedFields(user);
			return inner.createUser(user, ...rest);
		},
		createOAuthUser: async (user, account) => {
			rejectProtectedFields(user);
			return inner.createOAuthUser(user, account);
		},
		updateUser: async <T extends Changes>(userId: string, changes: Changes) => {
			rejectProtectedFields(changes);
			const isChecked = !mayEndOwnership(changes) || isStepping(await findTransaction());
			if (isChecked) return inner.updateUser<T>(userId, changes);
			return updateUserAtomically<T>(core, userId, changes);
		},
		updateUserByEmail: async <T extends Changes>(email: string, changes: Changes) => {
			rejectProtectedFields(changes);
			return inner.updateUserByEmail<T>(email, changes);
		},
	};
}

/**
 * Other plugins write fields as a caller sent them, for example at `/admin/update-user`. Callers could
 * make themselves the owner of their tenant.
 */
function rejectProtectedFields(data: object): void {
	const found = ["tenantRole", "disabledAt"].find((field) => field in data);
	if (!found || isByManagement()) return;
	throw APIError.from("BAD_REQUEST", {
		...BASE_ERROR_CODES.FIELD_NOT_ALLOWED,
		message: `${found} is not allowed to be set`,
	});
}

/** Steps in the transaction that changes or deletes a user. */
export interface Steps {
	/** The first one, after the check of owners. */
	before: OwnerCheck;
	/** After the user was changed or deleted. */
	alongside: () => Promise<void>;
}

export const NO_STEPS: Steps = { before: async () => {}, alongside: async () => {} };

/**
 * Makes core update a user, with further steps in the same transaction. The last owner of a tenant stays
 * one.
 *
 * The transaction starts when core writes. Hooks of the app run before: a hook that used a connection of
 * its own would wait for the transaction, on SQLite forever.
 *
 * @returns as core does, whatever its type says: `null` if a hook of the app prevents it, or the user is
 *   gone
 */
export async function updateUserAtomically<T extends Changes>(
	ctx: Updating,
	userId: string,
	changes: Changes,
	{ before, alongside } = NO_STEPS,
): Promise<User & T> {
	const { adapter, internalAdapter } = ctx;
	const requireOtherOwner = mayEndOwnership(changes) ? await findOwnerCheck(ctx, userId) : null;
	const check: OwnerCheck = async (database) => {
		await requireOtherOwner?.(database);
		await before(database);
	};
	const update = () => internalAdapter.updateUser<T>(userId, changes);
	const running = await findTransaction();
	if (!running) return runWithTransaction(withSteps(adapter, check, alongside), update);
	// The app calls us in its own transaction, and core starts no other in it.
	await check(running);
	const user = await update();
	if (user) await alongside();
	return user;
}

const stepping = new WeakSet<object>();

const isStepping = (adapter: object | null) => adapter !== null && stepping.has(adapter);

/** An adapter whose "transaction" starts a real one to update a user. */
function withSteps(
	adapter: DBAdapter,
	check: OwnerCheck,
	alongside: () => Promise<void>,
): DBAdapter {
	const updating: DBTransactionAdapter = {
		...adapter,
		update: async <T>(query: Parameters<DBAdapter["update"]>[0]): Promise<T | null> => {
			if (query.model !== "user") return adapter.update<T>(query);
			return retryConflicts(() =>
				adapter.transaction(async (database) => {
					await check(database);
					const row = await database.update<T>(query);
					if (row) await withTransaction(database, alongside);
					return row;
				}),
			);
		},
	};
	stepping.add(updating);
	return { ...adapter, transaction: (work) => work(updating) };
}
