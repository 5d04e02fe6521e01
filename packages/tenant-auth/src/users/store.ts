import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import type { Account, Session, User } from "@better-auth/core/db";
import type { Where } from "@better-auth/core/db/adapter";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { runInScope, type TenantScope } from "../context/scope";
import { isPossibleId } from "../context/tenant-id";

/** More than one user has; the adapter's page of 100 must not cut the list. */
const ALL = 1000;

export interface Page {
	search?: string | undefined;
	limit: number;
	offset: number;
}

/** Newest first. The search looks at name and address. */
export function listUsers(
	{ adapter }: AuthContext,
	scope: TenantScope,
	{ search, limit, offset }: Page,
): Promise<{ users: User[]; total: number }> {
	const where = search ? nameOrAddressContains(search) : [];
	return runInScope(scope, async () => ({
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

/** Adapters put a search text into LIKE as it is: a character that is special there stands for any. */
function nameOrAddressContains(search: string): Where[] {
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
	const user = isPossibleId(ctx, userId)
		? await runInScope(scope, () => ctx.context.internalAdapter.findUserById(userId))
		: null;
	// MySQL looks past case and trailing spaces.
	if (user?.id !== userId) throw APIError.from("NOT_FOUND", BASE_ERROR_CODES.USER_NOT_FOUND);
	return user;
}

export function listAccounts(
	{ adapter }: AuthContext,
	scope: TenantScope,
	userId: string,
): Promise<Account[]> {
	const where = [{ field: "userId", value: userId }];
	return runInScope(scope, () =>
		adapter.findMany<Account>({ model: "account", where, limit: ALL }),
	);
}

/** Wherever they are kept. */
export function listSessionsOf(
	{ internalAdapter }: AuthContext,
	scope: TenantScope,
	userId: string,
): Promise<Session[]> {
	return runInScope(scope, () =>
		internalAdapter.listSessions(userId, { onlyActiveSessions: true }),
	);
}
