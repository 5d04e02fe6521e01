import { getCurrentDBAdapterAsyncLocalStorage } from "@better-auth/core/context";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { defineCallState } from "../../call/context/current-state";
import type { InternalAdapter, StageParts } from "../../database/internal-adapter";
import { isWriteConflict, retryConflicts } from "../../database/write-conflicts";

interface FirstSignIn {
	/** Hooks of the app that core runs after the commit. `null` if no transaction creates a user. */
	waitingHooks: unknown[] | null;
	/** The error of a first sign-in that lost against another one. */
	lost: unknown;
}

const call = defineCallState<FirstSignIn>(() => ({ waitingHooks: null, lost: null }));

/**
 * Lets all of several simultaneous first social sign-ins of one person succeed as one user.
 *
 * Core looks for the account and finds none, and creates the user and the account in a transaction. The
 * index on the email lets one of them win, or the database ends the others with a write conflict. For
 * them the transaction runs again: the user and the account that it would create are those of the winner.
 * If there is no winner, or the user of that email has another account, the sign-in fails as before.
 * Hooks for new users run for the winner only.
 */
export function joinSimultaneousSignIns(accounts: InternalAdapter): StageParts {
	return {
		createUser: async (user, source) => {
			const state = source?.method === "oauth" ? call.find() : null;
			if (!state) return accounts.createUser<never>(user, source);
			if (state.lost && user.email) {
				const winner = await accounts.findUserByEmail(user.email);
				if (!winner) throw state.lost;
				// Both are rows of the same table. The type allows for any more fields.
				return winner.user as never;
			}
			const running = (await getCurrentDBAdapterAsyncLocalStorage()).getStore();
			state.waitingHooks = running?.pendingHooks ?? null;
			return accounts.createUser<never>(user, source).catch((error: unknown) => {
				if (isEmailTaken(error)) state.lost = error;
				throw error;
			});
		},
		createAccount: async (account) => {
			const lost = call.find()?.lost;
			if (!lost) return accounts.createAccount(account);
			const { providerId, accountId, userId } = account;
			const owner = await accounts.findAccountOwnerByKey({ providerId, accountId });
			if (owner?.kind !== "owned" || owner.user.id !== userId) throw lost;
			return owner.account as never;
		},
	};
}

/** Core's transaction is the only place from which it can be repeated, so the adapter is changed. */
export function repeatLostSignIns(adapter: DBAdapter): void {
	const { transaction } = adapter;
	adapter.transaction = async (work) => {
		try {
			return await transaction(work);
		} catch (error) {
			const state = call.find();
			if (!state?.waitingHooks || !(state.lost === error || isWriteConflict(error))) throw error;
			state.lost = error;
			// The user of the first attempt does not exist.
			state.waitingHooks.length = 0;
			// In a cluster, the winner's rows may come a little later than the conflict.
			return await retryConflicts(() => transaction(work));
		} finally {
			Object.assign(call.find() ?? {}, { waitingHooks: null, lost: null });
		}
	};
}

function isEmailTaken(error: unknown): boolean {
	const { code } = BASE_ERROR_CODES.USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL;
	return error instanceof APIError && error.body?.code === code;
}
