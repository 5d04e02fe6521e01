import type { GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { User } from "@better-auth/core/db";
import type { DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { requireInstance, runInScope } from "../../call/context/current-state";
import type { TenantScope } from "../../call/context/tenant";
import { isPossibleId } from "../../call/context/tenant-id";
import { tenantError } from "../../tenant-error";
import { findActingMember, requireReachable } from "./acting-member";
import { isActive, type Rights, roleOf } from "./roles";

/**
 * A user whom the caller may manage: nobody manages a user whose role permits more than their own. Everything
 * that changes a user takes one of these, so an action cannot forget the check.
 */
export interface ReachableUser {
	readonly user: User;
	/**
	 * Compares both roles again, in the running transaction or in the given one. It locks the user's row
	 * until the transaction ends. So a change never reaches somebody who has become an owner meanwhile.
	 */
	readonly recheck: (database?: DBTransactionAdapter) => Promise<void>;
}

/** @throws APIError `USER_NOT_FOUND` */
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

/** @throws APIError `USER_NOT_FOUND`, or `ROLE_NOT_ALLOWED` for a user whose role permits more */
export async function requireReachableUser(
	ctx: GenericEndpointContext,
	tenant: TenantScope,
	options: Rights,
	userId: string,
): Promise<ReachableUser> {
	const user = await requireUser(ctx, tenant, userId);
	requireReachable(options, user);
	const recheck = async (trx?: DBTransactionAdapter) => {
		const database = trx ?? (await getCurrentAdapter(ctx.context.adapter));
		await requireSameRanks(database, options, user.id);
	};
	return { user, recheck };
}

async function requireSameRanks(
	database: DBTransactionAdapter,
	options: Rights,
	userId: string,
): Promise<void> {
	const member = findActingMember();
	// The app itself reaches everybody.
	if (!member) return;
	const where = [{ field: "id", value: userId }];
	// The lock comes first: MySQL shows the last state of a row that the transaction itself has written.
	await database.updateMany({ model: "user", where, update: { updatedAt: new Date() } });
	const rows = await database.findMany<User>({
		model: "user",
		where: [{ field: "id", operator: "in", value: [userId, member.userId] }],
	});
	const actor = rows.find(({ id }) => id === member.userId);
	if (!actor || !isActive(actor) || roleOf(actor) !== member.role) {
		throw tenantError("ROLE_NOT_ALLOWED");
	}
	const target = rows.find(({ id }) => id === userId);
	if (target) requireReachable(options, target);
}
