import type { GenericEndpointContext } from "@better-auth/core";
import { requireInstance, requireState } from "../../call/context/current-state";
import type { Branding } from "../../rules";
import { tenantError } from "../../tenant-error";
import { BRANDING, parseBranding } from "./metadata-schema";
import { lockMetadata } from "./own-tenant";
import { updateTenantRow } from "./store";
import { requireMetadataSize, type Tenant } from "./tenant";

/**
 * Changes fields of a tenant's `metadata.branding`, and leaves the rest of the metadata as it is. It checks
 * no caller: use it in `change()` of a tenant that `manageTenant(ctx, "tenant:update")` returned, before
 * anything else in there.
 *
 * @example
 * ```ts
 * const tenant = await manageTenant(ctx, "tenant:update");
 * await tenant.change(
 *   () => updateTenantBranding(ctx, tenant.tenantId, { logoUrl: "https://cdn.example.com/acme.png" }),
 *   () => ({ detail: { branding: ["logoUrl"] } }),
 * );
 * ```
 */
export async function updateTenantBranding(
	ctx: GenericEndpointContext,
	tenantId: string,
	changes: Branding,
): Promise<Tenant> {
	const { options } = requireInstance(ctx.context);
	const tenant = await requireState(ctx.context).readTenant(tenantId);
	if (!tenant) throw tenantError("TENANT_NOT_FOUND");
	const stored = await lockMetadata(ctx.context, tenant);
	const branding = { ...Object(stored[BRANDING]), ...changes };
	const metadata = await parseBranding(stored, branding, options.metadata);
	requireMetadataSize(metadata, options.maxMetadataBytes);
	return updateTenantRow(ctx.context, tenantId, { metadata });
}
