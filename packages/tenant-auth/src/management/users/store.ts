import type { AuthContext } from "@better-auth/core";
import { runWithTransaction } from "@better-auth/core/context";
import type { Account, Session, User } from "@better-auth/core/db";
import type { DBAdapter, DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import { currentScope } from "../../call/context/current-scope";
import { findEndpoint, requireInstance, runInScope } from "../../call/context/current-state";
import { rulesOf } from "../../call/context/endpoint-rules";
import { type TenantScope, tenantIdIn } from "../../call/context/tenant";
import { isPossibleId } from "../../call/context/tenant-id";
import type { OrderedPart } from "../../database/counted-page";
import {
	defersWrites,
	findTransaction,
	withDeferredWrites,
	withTransaction,
} from "../../database/deferred-writes";
import type { InternalAdapter, StageParts } from "../../database/internal-adapter";
import { findSearchedPage, type Search, type SearchedPage } from "../../database/searched-list";
import type { TextSort } from "../../database/sorted-pages";
import {
	cutOffSessions,
	requireReachableStorage,
	requireStorage,
} from "../../isolation/stored-sessions";
import { storedRole } from "../access/roles";
import { findOwnerCheck, type OwnerCheck } from "./owners";
import { NO_STEPS, type Steps } from "./update-user";

/** More than any user has. The adapter's default page of 100 must not cut the list. */
const MAX_ACCOUNTS = 1000;

/** Which part of a tenant's list is wanted. */
export interface TenantPart extends OrderedPart {
	search?: string | undefined;
	sort?: TextSort | undefined;
}

export interface UserFilters {
	status?: UserStatus | undefined;
	role?: string | undefined;
	ids?: string[] | undefined;
}

export const USER_STATUSES = ["active", "disabled", "unverified"] as const;

type UserStatus = (typeof USER_STATUSES)[number];

/** The search covers name and email. */
export async function listUsers(
	ctx: AuthContext,
	scope: TenantScope,
	{ search: text, first, fallingIds, sort, ...part }: TenantPart,
	{ status, role, ids }: UserFilters = {},
): Promise<SearchedPage<User>> {
	// Some databases throw for a text that cannot be an id.
	const possibleIds = ids?.filter((id) => isPossibleId(ctx.options, id));
	if (possibleIds?.length === 0) return { rows: [], next: null, total: 0, isLimited: false };
	const where: Where[] = [
		...(status ? [STATUS_CONDITIONS[status]] : []),
		...(role ? [is("tenantRole", storedRole(role))] : []),
		...(possibleIds ? [{ ...is("id", possibleIds), operator: "in" as const }] : []),
	];
	const listing = { ctx, model: "user", where, first, fallingIds, sort };
	const search: Search<"name" | "email"> = {
		...{ text, fields: ["name", "email"] },
		indexed: [
			{ field: "email", isUnique: true },
			...(areNamesIndexed(ctx) ? [{ field: "name" as const, isUnique: false }] : []),
		],
	};
	return runInScope(requireInstance(ctx), scope, () =>
		findSearchedPage<"name" | "email", User>(listing, search, part),
	);
}

/**
 * Whether the app has declared an index over the tenant and the name of users. Without one, each search by
 * name and each page in the order of names would read all users of the tenant.
 */
export const areNamesIndexed = ({ tables }: Pick<AuthContext, "tables">): boolean =>
	(tables.user?.indexes ?? []).some(
		({ fields: [first, second] }) => first === "tenantId" && second === "name",
	);

const is = (field: string, value: Where["value"]): Where & { connector: "AND" } => ({
	field,
	value,
	connector: "AND",
});

const STATUS_CONDITIONS: Record<UserStatus, Where> = {
	active: is("disabledAt", null),
	// Not `ne` null: the memory adapter leaves the field out of users who were never disabled.
	disabled: { ...is("disabledAt", new Date(0)), operator: "gt" },
	unverified: is("emailVerified", false),
};

export function listAccounts(
	ctx: AuthContext,
	scope: TenantScope,
	userId: string,
): Promise<Account[]> {
	const where = [{ field: "userId", value: userId }];
	return runInScope(requireInstance(ctx), scope, () =>
		ctx.adapter.findMany<Account>({ model: "account", where, limit: MAX_ACCOUNTS }),
	);
}

/** In all stores. */
export function listSessionsOf(
	ctx: AuthContext,
	scope: TenantScope,
	userId: string,
): Promise<Session[]> {
	return runInScope(requireInstance(ctx), scope, () =>
		requireStorage(ctx, () =>
			ctx.internalAdapter.listSessions(userId, { onlyActiveSessions: true }),
		),
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
export function deleteUsersAtomically(inner: InternalAdapter, ctx: AuthContext): StageParts {
	const core = { ...ctx, internalAdapter: inner };
	return {
		deleteUserSessions: async (userId) => {
			// `deleteUser` follows and ends them, in its transaction. If it is refused, nothing has ended.
			if (rulesOf(findEndpoint()?.path).deletesUser) return;
			await inner.deleteUserSessions(userId);
		},
		deleteUser: async (userId) => {
			if (defersWrites(await findTransaction())) await inner.deleteUser(userId);
			else await deleteUserAtomically(core, userId);
		},
	};
}

type Deleting = Pick<AuthContext, "adapter" | "internalAdapter" | "options" | "logger">;

/**
 * Deletes a user, with further steps in the same transaction. The last owner of a tenant stays. The
 * user's sessions in a secondary storage are ended as the last step: if that fails, nothing is deleted
 * and the call can be repeated.
 *
 * @returns whether this call has deleted the user: another one may have done it meanwhile
 */
export async function deleteUserAtomically(
	ctx: Deleting,
	userId: string,
	{ before, alongside }: Steps = NO_STEPS,
): Promise<boolean> {
	let isDeleted = false;
	const finish = async () => {
		isDeleted = true;
		await forgetInFeatures(ctx, userId);
		await alongside();
		await cutOffSessions(ctx, userId, { isDeletion: true });
	};
	const { adapter, internalAdapter } = ctx;
	await requireReachableStorage(ctx, userId);
	const requireOtherOwner = await findOwnerCheck(ctx, userId);
	const check: OwnerCheck = async (database) => {
		await requireOtherOwner(database);
		await before(database);
	};
	// The app may call us in its own transaction, and core starts no other in it.
	const running = await findTransaction();
	if (running) await check(running);
	const deferring = deferDeletions(adapter, check, finish);
	await runWithTransaction(deferring, () => internalAdapter.deleteUser(userId));
	if (running && !(await internalAdapter.findUserById(userId))) await finish();
	return isDeleted;
}

function deferDeletions(
	adapter: DBAdapter,
	check: OwnerCheck,
	alongside: () => Promise<void>,
): DBAdapter {
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
				await check(database);
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

/** Lets plugins remove what they know about a user of the current tenant. */
async function forgetInFeatures(ctx: Pick<AuthContext, "adapter">, id: string): Promise<void> {
	const instance = requireInstance(ctx);
	const tenantId = tenantIdIn(await currentScope(instance));
	if (tenantId === null) return;
	for (const forget of instance.features.forgetUser) await forget(ctx, { id, tenantId });
}
