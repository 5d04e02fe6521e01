import type { AuthContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import { markConfigsSuspended } from "../oauth-configs/config-store";
import { runInScope, scopeOf } from "../scope/scope";
import type { TenantRow } from "../tenants/tenant";
import { setSuspendedAt } from "../tenants/tenant-store";

/**
 * Suspends a tenant, or ends that.
 *
 * A session is found together with its user, and a social sign-in begins with the tenant's configs:
 * these bear a mark, so that nobody has to look the tenant up. The tenant's own row comes first: its
 * lock waits for sign-ups that are under way, and the mark then reaches their users too.
 */
export async function setSuspended(
	ctx: AuthContext,
	tenant: TenantRow,
	suspendedAt: Date | null,
): Promise<TenantRow> {
	const changed = await setSuspendedAt(ctx, tenant.id, suspendedAt);
	const tenantSuspended = suspendedAt !== null;
	await markConfigsSuspended(ctx, tenant.id, tenantSuspended);
	const database = await getCurrentAdapter(ctx.adapter);
	await runInScope(scopeOf(tenant), () =>
		database.updateMany({ model: "user", where: [], update: { tenantSuspended } }),
	);
	return changed;
}
