import type { AuthContext } from "@better-auth/core";
import {
	getCurrentDBAdapterAsyncLocalStorage,
	runWithTransaction,
} from "@better-auth/core/context";
import type { DBAdapter, DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { requireInstance, runInScope } from "../context/current-state";
import type { TenantScope } from "../context/scope";
import { withDeferredWrites, withTransaction } from "../database/deferred-writes";
import { keepsSessionsInDatabase } from "../isolation/stored-sessions";

type Sessions = AuthContext["internalAdapter"];
type Write = (database: DBTransactionAdapter) => Promise<unknown>;

/**
 * Ends sessions of a tenant's users, and runs `alongside` in the same transaction. If a hook of the app
 * keeps the sessions, neither happens.
 */
export function endSessions(
	ctx: AuthContext,
	tenant: TenantScope,
	end: (sessions: Sessions) => Promise<void>,
	alongside: () => Promise<void>,
): Promise<void> {
	return runInScope(requireInstance(ctx), tenant, async () => {
		const current = (await getCurrentDBAdapterAsyncLocalStorage()).getStore();
		if (!current?.isTransactionActive) {
			return runWithTransaction(deferSessionWrites(ctx, alongside), () => end(ctx.internalAdapter));
		}
		// The app calls us in its own transaction, and core starts no other in it.
		await end(ctx.internalAdapter);
		await alongside();
	});
}

function deferSessionWrites(ctx: AuthContext, alongside: () => Promise<void>): DBAdapter {
	const { adapter } = ctx;
	return withDeferredWrites<Write>(
		adapter,
		(writes) => ({
			delete: async (query) => {
				if (query.model !== "session") return adapter.delete(query);
				writes.push((database) => database.delete(query));
			},
			deleteMany: async (query) => {
				if (query.model !== "session") return adapter.deleteMany(query);
				return writes.push((database) => database.deleteMany(query));
			},
			// With `preserveSessionInDatabase` core lets them expire.
			updateMany: async (query) => {
				if (query.model !== "session") return adapter.updateMany(query);
				return writes.push((database) => database.updateMany(query));
			},
		}),
		(writes) => {
			if (writes.length === 0 && keepsSessionsInDatabase(ctx)) return null;
			return async (database) => {
				for (const write of writes) await write(database);
				await withTransaction(database, alongside);
			};
		},
	);
}
