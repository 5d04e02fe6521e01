import type { GenericEndpointContext } from "@better-auth/core";
import { requireState } from "../context/current-state";
import { scopeOf, type TenantScope } from "../context/scope";
import { findNamedTenantId } from "../context/tenant-id";
import type { ResolvedOptions } from "../options";
import type { ManagementAction } from "../routes";
import { tenantError } from "../tenant-error";
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
	if (!tenantId) throw tenantError("TENANT_ID_REQUIRED");
	const tenant = await requireState(ctx.context).readTenant(tenantId);
	if (!tenant || tenant.erasingSince) throw tenantError("TENANT_NOT_FOUND");
	return scopeOf(tenant);
}
