import type { DBAdapter } from "@better-auth/core/db/adapter";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { defineCallState } from "../context/current-state";
import type { InternalAdapter, StageParts } from "../database/internal-adapter";

/** The error of a first sign-in that lost against another one. */
const call = defineCallState<{ lost: unknown }>(() => ({ lost: null }));

/**
 * Lets all of several simultaneous first social sign-ins of one person succeed as one user.
 *
 * Core looks for the account and finds none, and creates the user and the account in a transaction. The
 * index on the email lets one of them win. For the others the transaction runs again: the user and the
 * account that it would create are those of the winner. If the user of that email has another account,
 * the sign-in fails as before. Hooks for new users run for the winner only.
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
			if (!state?.lost || state.lost !== error) throw error;
			return await transaction(work).finally(() => {
				state.lost = null;
			});
		}
	};
}

function isEmailTaken(error: unknown): boolean {
	const { code } = BASE_ERROR_CODES.USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL;
	return error instanceof APIError && error.body?.code === code;
}
