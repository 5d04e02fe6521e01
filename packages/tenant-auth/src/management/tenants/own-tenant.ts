import type { TenantRow } from "../../call/context/tenant";
import { lockTenantRow } from "../../call/context/tenant-locks";
import { currentAdapter } from "../../database/current-adapter";
import { tenantError } from "../../tenant-error";
import { findActingMember, requireOwner } from "../access/acting-member";
import { BRANDING } from "./metadata-schema";
import { requireTenant, type StoreContext } from "./store";
import { type Tenant, type TenantMetadata, toTenant } from "./tenant";

// What the users of a tenant may see and change of it. The metadata belongs to the app: it may be
// private, and it may say what the tenant has paid for. Only its `branding` is the tenant's.

/** The tenant as the caller may see it. */
export function forCaller(tenant: Tenant): Tenant {
	if (!findActingMember()) return tenant;
	const branding = tenant.metadata?.[BRANDING];
	return { ...tenant, metadata: branding === undefined ? null : { [BRANDING]: branding } };
}

/** @throws APIError `ROLE_NOT_ALLOWED` for what the caller's role does not cover */
export function requireAllowedChange({
	slug,
	metadata,
}: {
	slug?: string | undefined;
	metadata?: TenantMetadata | null | undefined;
}): void {
	if (!findActingMember()) return;
	// A new slug is a new address for all users of the tenant.
	if (slug !== undefined) requireOwner();
	const other = Object.keys(metadata ?? {}).find((name) => name !== BRANDING);
	if (other === undefined) return;
	throw tenantError("ROLE_NOT_ALLOWED", {
		message: "A role in a tenant may change the branding, and no other metadata",
	});
}

/**
 * The stored metadata. The row is locked until the running transaction ends: the app may change the rest of
 * the metadata at the same time. MySQL reads as of the first read, so this must be the first statement of the
 * transaction.
 */
export async function lockMetadata(ctx: StoreContext, tenant: TenantRow): Promise<TenantMetadata> {
	await lockTenantRow(currentAdapter(ctx.adapter), tenant.id);
	return toTenant(await requireTenant(ctx, "id", tenant.id)).metadata ?? {};
}
