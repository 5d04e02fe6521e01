import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { Where } from "@better-auth/core/db/adapter";
import * as z from "zod";
import { requireInstance, runInScope } from "../../call/context/current-state";
import type { TenantScope } from "../../call/context/tenant";
import { PASSKEYS } from "../../call/foreign";
import { flag, text, textOrNull } from "../../described";
import { tenantError } from "../../tenant-error";
import type { ReachableUser } from "../access/reachable-user";
import { endSessionsWith } from "./session-store";

const { plugin, table } = PASSKEYS;

/** More than any user has. */
const MAX_PASSKEYS = 1000;

export const passkeySchema = z.object({
	id: text("Unique id"),
	name: textOrNull("The name that the user sees"),
	backedUp: flag("Whether it is synchronized, so that other devices have it too"),
	createdAt: z.date().nullable().meta({ description: "When the user added it" }),
});

/** A passkey of `@better-auth/passkey` as management sees it, without the credential. */
export type TenantPasskey = z.output<typeof passkeySchema>;

type Row = { id: string; name?: string | null; backedUp: boolean; createdAt?: Date | null };

const byUser = (userId: string): Where => ({ field: "userId", value: userId });

/** Nothing without the plugin: there is no table. */
export async function listPasskeys(
	ctx: AuthContext,
	scope: TenantScope,
	userId: string,
): Promise<TenantPasskey[]> {
	if (!ctx.hasPlugin(plugin)) return [];
	const where = [byUser(userId)];
	const rows = await runInScope(requireInstance(ctx), scope, () =>
		ctx.adapter.findMany<Row>({ model: table, where, limit: MAX_PASSKEYS }),
	);
	return rows.map(({ id, name, backedUp, createdAt }) => ({
		id,
		name: name || null,
		backedUp,
		createdAt: createdAt ?? null,
	}));
}

/**
 * Removes one passkey of a user, or all, and ends all sessions, both or neither. So somebody who
 * has the lost device is signed out.
 *
 * @returns how many were removed
 */
export async function removePasskeys(
	ctx: GenericEndpointContext,
	tenant: TenantScope,
	reachable: ReachableUser,
	passkeyId?: string,
): Promise<number> {
	const { context } = ctx;
	const { id: userId } = reachable.user;
	if (passkeyId !== undefined) {
		const passkeys = await listPasskeys(context, tenant, userId);
		if (!passkeys.some(({ id }) => id === passkeyId)) throw tenantError("PASSKEY_NOT_FOUND");
	}
	const change = () => deletePasskeys(context, userId, passkeyId);
	const describe = (removed: number) =>
		({ action: "user:remove-passkeys", detail: { removed } }) as const;
	const removed = await endSessionsWith(ctx, tenant, reachable, change, describe);
	if (removed === null) throw tenantError("USER_NOT_SAVED");
	return removed;
}

/**
 * To delete all does not use a list that was read before: somebody who has the lost device may add another
 * passkey at the same time.
 */
async function deletePasskeys(
	context: AuthContext,
	userId: string,
	passkeyId: string | undefined,
): Promise<number> {
	if (!context.hasPlugin(plugin)) return 0;
	const one: Where[] = passkeyId === undefined ? [] : [{ field: "id", value: passkeyId }];
	const adapter = await getCurrentAdapter(context.adapter);
	return adapter.deleteMany({ model: table, where: [byUser(userId), ...one] });
}
