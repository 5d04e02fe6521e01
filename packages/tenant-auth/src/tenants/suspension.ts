import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import { audited } from "../audit/audit-store";
import { runInScope, scopeOf } from "../context/scope";
import { markInStorage } from "../isolation/suspension-mark";
import { markConfigsSuspended } from "../oauth-clients/store";
import { requireTenant, setSuspendedAt } from "./store";
import type { TenantRow } from "./tenant";

/** Suspends a tenant, or resumes it. A tenant that is suspended already keeps its date. */
export async function changeSuspension(
	ctx: GenericEndpointContext,
	tenantId: string,
	change: "suspend" | "resume",
): Promise<TenantRow> {
	const isSuspended = change === "suspend";
	const { secondaryStorage } = ctx.context.options;
	await requireTenant(ctx.context, "id", tenantId);
	// First, so that whatever fails in between leaves the tenant closed and not open.
	if (isSuspended) await markInStorage(secondaryStorage, tenantId, true);
	const changed = await audited(
		ctx,
		async () => {
			const tenant = await requireTenant(ctx.context, "id", tenantId);
			const since = isSuspended ? (tenant.suspendedAt ?? new Date()) : null;
			return setSuspended(ctx.context, tenant, since);
		},
		() => ({ action: `tenant:${change}`, tenantId }),
	);
	if (!isSuspended) {
		await markInStorage(secondaryStorage, tenantId, false);
		// Somebody else may have suspended it meanwhile.
		const { suspendedAt } = await requireTenant(ctx.context, "id", tenantId);
		if (suspendedAt) await markInStorage(secondaryStorage, tenantId, true);
	}
	return changed;
}

/**
 * A session is found together with its user, and a social sign-in begins with the tenant's configs:
 * these bear a mark, so that nobody has to look the tenant up. The tenant's own row comes first: its
 * lock waits for sign-ups that are under way, and the mark then reaches their users too.
 */
async function setSuspended(
	ctx: AuthContext,
	tenant: TenantRow,
	suspendedAt: Date | null,
): Promise<TenantRow> {
	const changed = await setSuspendedAt(ctx, tenant.id, suspendedAt);
	const tenantSuspended = suspendedAt !== null;
	await markConfigsSuspended(ctx, tenant.id, tenantSuspended);
	await markUsersSuspended(ctx, tenant, tenantSuspended);
	return changed;
}

/** While they bear the mark, none of the tenant's users signs in, and their sessions do not count. */
export async function markUsersSuspended(
	ctx: Pick<AuthContext, "adapter">,
	tenant: TenantRow,
	tenantSuspended: boolean,
): Promise<void> {
	const database = await getCurrentAdapter(ctx.adapter);
	await runInScope(scopeOf(tenant), () =>
		database.updateMany({ model: "user", where: [], update: { tenantSuspended } }),
	);
}
