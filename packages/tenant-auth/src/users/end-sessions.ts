import type { AuthContext } from "@better-auth/core";
import {
	getCurrentDBAdapterAsyncLocalStorage,
	runWithAdapter,
	runWithTransaction,
} from "@better-auth/core/context";
import type { DBAdapter, DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { runInScope, type TenantScope } from "../context/scope";
import { keepsSessionsInDatabase } from "../isolation/stored-sessions";

type Sessions = AuthContext["internalAdapter"];

/**
 * Ends sessions of a tenant's users, and does `alongside` in the same transaction; neither, where a
 * hook of the host keeps them. The scope is around the transaction: hooks that core has put off until
 * that has ended must find themselves in the tenant too.
 */
export function endSessions(
	ctx: AuthContext,
	tenant: TenantScope,
	end: (sessions: Sessions) => Promise<void>,
	alongside: () => Promise<void>,
): Promise<void> {
	return runInScope(tenant, async () => {
		const current = (await getCurrentDBAdapterAsyncLocalStorage()).getStore();
		if (!current?.isTransactionActive) {
			return runWithTransaction(endingAtTheEnd(ctx, alongside), () => end(ctx.internalAdapter));
		}
		// The host calls us in a transaction of its own, and core begins none in it.
		await end(ctx.internalAdapter);
		await alongside();
	});
}

/**
 * An adapter whose transaction is made of nothing but the end of the sessions. The host's hooks run
 * before it: one that used a connection of its own would wait for the transaction's on SQLite, and
 * everybody else with it.
 */
function endingAtTheEnd(ctx: AuthContext, alongside: () => Promise<void>): DBAdapter {
	const { adapter } = ctx;
	return {
		...adapter,
		transaction: async (work) => {
			const writes: ((database: DBTransactionAdapter) => Promise<unknown>)[] = [];
			const failures: unknown[] = [];
			const result = await work({
				...adapter,
				// Core takes a read that fails for no sessions, and would ask no hook.
				findMany: <T>(query: Parameters<DBAdapter["findMany"]>[0]) =>
					adapter.findMany<T>(query).catch((error) => {
						failures.push(error);
						throw error;
					}),
				delete: async (query) => {
					if (query.model !== "session") return adapter.delete(query);
					writes.push((database) => database.delete(query));
				},
				deleteMany: async (query) => {
					if (query.model !== "session") return adapter.deleteMany(query);
					return writes.push((database) => database.deleteMany(query));
				},
				// With `preserveSessionInDatabase` they only expire.
				updateMany: async (query) => {
					if (query.model !== "session") return adapter.updateMany(query);
					return writes.push((database) => database.updateMany(query));
				},
			});
			if (failures.length > 0) throw failures[0];
			if (writes.length === 0 && keepsSessionsInDatabase(ctx)) return result;
			await adapter.transaction(async (database) => {
				for (const write of writes) await write(database);
				await runWithAdapter(database as DBAdapter, alongside);
			});
			return result;
		},
	};
}
