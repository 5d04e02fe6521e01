import type { GenericEndpointContext } from "@better-auth/core";
import { requireScope } from "../context/enter-tenant";
import type { TenantScope } from "../context/scope";
import { findNamedTenantId, requireNamed } from "../context/tenant-id";
import type { ResolvedOptions } from "../options";
import type { ManagementAction } from "../routes";
import { requireManagement } from "./authorize";

/**
 * The tenant that a management call names, after the check that the caller may manage it. The call does
 * not enter the scope of that tenant, because its caller does not belong to it.
 */
export async function requireManagedTenant(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
	action: ManagementAction,
): Promise<TenantScope> {
	const tenantId = await findNamedTenantId(ctx, options);
	await requireManagement(ctx, options, { action, tenantId: tenantId ?? null });
	return requireScope(ctx, requireNamed(tenantId));
}
