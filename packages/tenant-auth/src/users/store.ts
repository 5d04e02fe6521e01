import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import type { Account, Session, User } from "@better-auth/core/db";
import type { Where } from "@better-auth/core/db/adapter";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { requireInstance, runInScope } from "../context/current-state";
import type { TenantScope } from "../context/scope";
import { isPossibleId } from "../context/tenant-id";

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
