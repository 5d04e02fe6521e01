import type { AuthContext } from "@better-auth/core";
import type { User } from "@better-auth/core/db";
import type { DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { requireInstance } from "../../call/context/current-state";
import { PLATFORM_ID, tenantIdOf } from "../../call/context/tenant";
import { lockTenantRow } from "../../call/context/tenant-locks";
import { currentAdapter } from "../../database/current-adapter";
import { tenantError } from "../../tenant-error";
import { isActiveOwner, OWNER } from "../access/roles";

/** More owners than a tenant has. */
const MAX_OWNERS = 1000;

/** Throws in a transaction that would take the last owner from a tenant. It must come first there. */
export type OwnerCheck = (database: DBTransactionAdapter) => Promise<void>;

/** Whether an update of a user may take an owner from a tenant. */
export const mayEndOwnership = (changes: Record<string, unknown>): boolean =>
	Boolean(changes.banned) ||
	Boolean(changes.disabledAt) ||
	(changes.tenantRole !== undefined && changes.tenantRole !== OWNER);

/**
 * Finds the check before a user is deleted, disabled, banned or given another role.
 *
 * The check locks the tenant's row. So of two calls that remove the last two owners, the second one sees
 * what the first one did.
 *
 * @throws APIError `LAST_OWNER` if it is clear already, before hooks of the app run
 */
export async function findOwnerCheck(
	ctx: Pick<AuthContext, "adapter" | "internalAdapter">,
	userId: string,
): Promise<OwnerCheck> {
	// Read before the transaction: after its first read, MySQL shows no later changes.
	const user = await ctx.internalAdapter.findUserById(userId);
	const tenantId = user ? tenantIdOf(user) : PLATFORM_ID;
	const tenant = tenantId === PLATFORM_ID ? null : await requireInstance(ctx).readTenant(tenantId);
	if (!user || !tenant) return async () => {};
	if (isActiveOwner(user)) await requireOtherOwner(currentAdapter(ctx.adapter), user);
	return async (database) => {
		await lockTenantRow(database, tenant.id);
		const where = [{ field: "id", value: userId }];
		const current = await database.findOne<User>({ model: "user", where });
		if (current && isActiveOwner(current)) await requireOtherOwner(database, current);
	};
}

/** @throws APIError `LAST_OWNER` */
async function requireOtherOwner(database: Reader, user: User): Promise<void> {
	if (await hasOtherOwner(database, tenantIdOf(user), user.id)) return;
	throw tenantError("LAST_OWNER");
}

type Reader = Pick<DBTransactionAdapter, "findMany">;

/** Whether a tenant has an active owner beside a user. */
export async function hasOtherOwner(
	database: Reader,
	tenantId: string,
	userId: string,
): Promise<boolean> {
	const owners = await database.findMany<User>({
		model: "user",
		where: [
			{ field: "tenantId", value: tenantId },
			{ field: "tenantRole", value: OWNER },
		],
		limit: MAX_OWNERS,
	});
	return owners.some((owner) => owner.id !== userId && isActiveOwner(owner));
}
