import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { User } from "@better-auth/core/db";
import type { TenantScope } from "../../call/context/tenant";
import { SECOND_FACTOR } from "../../call/foreign";
import { endTrustedDevices } from "../../isolation/trusted-devices";
import { tenantError } from "../../tenant-error";
import type { ReachableUser } from "../access/reachable-user";
import { endSessionsWith } from "./session-store";

/**
 * Removes the second factor of Better Auth's `twoFactor()` and ends all sessions, both or neither. So
 * somebody who has the lost device is signed out. No device stays trusted: it would not be asked for the
 * next second factor of the user.
 */
export async function removeSecondFactor(
	ctx: GenericEndpointContext,
	tenant: TenantScope,
	reachable: ReachableUser,
): Promise<User> {
	const change = () => deleteFactor(ctx.context, reachable.user);
	const describe = () => ({ action: "user:remove-second-factor" }) as const;
	const changed = await endSessionsWith(ctx, tenant, reachable, change, describe);
	if (!changed) throw tenantError("USER_NOT_SAVED");
	return changed;
}

/**
 * Deletes the second factor, and lets no device stay trusted. Not through core's hooks: they may use the
 * database, and this runs in a transaction.
 */
export async function deleteFactor<Owner extends Pick<User, "id">>(
	context: AuthContext,
	user: Owner,
): Promise<Owner | null> {
	const { plugin, table } = SECOND_FACTOR;
	if (!context.hasPlugin(plugin)) return user;
	const adapter = await getCurrentAdapter(context.adapter);
	await adapter.deleteMany({ model: table, where: [{ field: "userId", value: user.id }] });
	await endTrustedDevices(context, user.id);
	return adapter.update<Owner>({
		model: "user",
		where: [{ field: "id", value: user.id }],
		update: { twoFactorEnabled: false, updatedAt: new Date() },
	});
}
