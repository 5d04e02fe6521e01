import type { GenericEndpointContext } from "@better-auth/core";
import { requireState } from "../context/request-state";
import { scopeOf, type TenantScope } from "../context/scope";
import { tenantNotFound } from "../context/tenant-errors";
import { findNamedTenantId, requireNamedTenantId } from "../context/tenant-id";
import type { ManagementAction, ResolvedOptions } from "../options";
import { requireManagement } from "./authorize";

/**
 * The tenant that a management call names, after a check that the caller may manage it. It may be
 * suspended. The call itself does not enter the tenant: its caller is not one of the tenant's users.
 */
export async function requireManagedTenant(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
	action: ManagementAction,
): Promise<TenantScope> {
	const tenantId = await findNamedTenantId(ctx, options);
	await requireManagement(ctx, options, { action, tenantId: tenantId ?? null });
	const tenant = await requireState().readTenant(
		tenantId ?? (await requireNamedTenantId(ctx, options)),
	);
	if (!tenant || tenant.erasingSince) throw tenantNotFound();
	return scopeOf(tenant);
}
