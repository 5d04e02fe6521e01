import type { GenericEndpointContext } from "@better-auth/core";
import { audited } from "../audit/audit-store";
import type { TenantRow } from "../context/tenant-row";
import { requireTenant, setSuspendedAt } from "./store";

/**
 * Suspends or resumes a tenant, with one update of one row: the gate reads it at every request. A tenant
 * that is already suspended keeps its date.
 */
export async function changeSuspension(
	ctx: GenericEndpointContext,
	tenantId: string,
	change: "suspend" | "resume",
): Promise<TenantRow> {
	return audited(
		ctx,
		async () => {
			const { suspendedAt } = await requireTenant(ctx.context, "id", tenantId);
			const since = change === "suspend" ? (suspendedAt ?? new Date()) : null;
			return setSuspendedAt(ctx.context, tenantId, since);
		},
		() => ({ action: `tenant:${change}`, tenantId }),
	);
}
