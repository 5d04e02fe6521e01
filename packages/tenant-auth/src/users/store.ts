import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { runWithTransaction } from "@better-auth/core/context";
import type { Account, Session, User } from "@better-auth/core/db";
import type { DBAdapter, DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { requireInstance, runInScope } from "../context/current-state";
import type { TenantScope } from "../context/tenant";
import { isPossibleId } from "../context/tenant-id";
import { withDeferredWrites, withTransaction } from "../database/deferred-writes";

/** More than any user has. The adapter's default page of 100 must not cut the list. */
const ALL = 1000;

export interface Page {
	search?: string | undefined;
	limit: number;
	offset: number;
}

/** Newest first. The search covers name and email. */
export function listUsers(
	ctx: AuthContext,
	scope: TenantScope,
	{ search, limit, offset }: Page,
): Promise<{ users: User[]; total: number }> {
	const { adapter } = ctx;
	const where = search ? nameOrEmailContains(search) : [];
	return runInScope(requireInstance(ctx), scope, async () => ({
		users: await adapter.findMany<User>({
			model: "user",
			where,
			sortBy: { field: "createdAt", direction: "desc" },
			limit,
			offset,
		}),
		total: await adapter.count({ model: "user", where }),
	}));
}

/** Adapters put the text into LIKE without escaping. Each special character matches any character. */
function nameOrEmailContains(search: string): Where[] {
	const value = search.replaceAll(/[%_\\]/g, "_");
	const contains = { operator: "contains", value, connector: "OR", mode: "insensitive" } as const;
	return [
		{ ...contains, field: "name" },
		{ ...contains, field: "email" },
	];
}

export async function requireUser(
	ctx: GenericEndpointContext,
	scope: TenantScope,
	userId: string,
): Promise<User> {
	const user = isPossibleId(ctx.context.options, userId)
		? await runInScope(requireInstance(ctx.context), scope, () =>
				ctx.context.internalAdapter.findUserById(userId),
			)
		: null;
	// MySQL ignores case and trailing spaces.
	if (user?.id !== userId) throw APIError.from("NOT_FOUND", BASE_ERROR_CODES.USER_NOT_FOUND);
	return user;
}

export function listAccounts(
	ctx: AuthContext,
	scope: TenantScope,
	userId: string,
): Promise<Account[]> {
	const where = [{ field: "userId", value: userId }];
	return runInScope(requireInstance(ctx), scope, () =>
		ctx.adapter.findMany<Account>({ model: "account", where, limit: ALL }),
	);
}

/** In all stores. */
export function listSessionsOf(
	ctx: AuthContext,
	scope: TenantScope,
	userId: string,
): Promise<Session[]> {
	return runInScope(requireInstance(ctx), scope, () =>
		ctx.internalAdapter.listSessions(userId, { onlyActiveSessions: true }),
	);
}

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
