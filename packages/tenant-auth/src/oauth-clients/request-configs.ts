import type { GenericEndpointContext } from "@better-auth/core";
import { defineRequestState } from "@better-auth/core/context";
import { enterTenant } from "../context/enter-tenant";
import { enterScope, scopeOfRow } from "../context/scope";
import { findNamedTenantId, requireNamed, requirePossibleId } from "../context/tenant-id";
import type { ResolvedOptions } from "../options";
import type { OAuthConfigRow } from "./config";
import { findConfigRows } from "./store";

const configs = defineRequestState(() => new Map<string, Promise<OAuthConfigRow[]>>());

/** One query a request, however many entries of its list of providers core asks. */
async function findConfigsOnce(ctx: GenericEndpointContext, tenantId: string) {
	const asked = await configs.get();
	const rows = asked.get(tenantId) ?? findConfigRows(ctx.context, tenantId);
	asked.set(tenantId, rows);
	return rows;
}

export async function findEnabledConfig(
	ctx: GenericEndpointContext,
	tenantId: string,
	providerId: string,
): Promise<OAuthConfigRow | undefined> {
	const rows = await findConfigsOnce(ctx, tenantId);
	return rows.find((row) => row.providerId === providerId && row.enabled);
}

/**
 * Puts the start of a social sign-in into the tenant that it names.
 *
 * Its configs are needed anyway, and one of them proves that the tenant is there: erasing a tenant
 * begins with them. Only where it has none is the tenant itself looked up.
 */
export async function enterTenantByConfigs(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
): Promise<void> {
	const tenantId = requirePossibleId(ctx, requireNamed(await findNamedTenantId(ctx, options)));
	const [row] = await findConfigsOnce(ctx, tenantId);
	// MySQL looks past case and trailing spaces. And one that was registered while the tenant was
	// resumed may bear a mark that is over.
	if (row?.tenantId !== tenantId || row.tenantSuspended) await enterTenant(ctx, tenantId);
	else enterScope(scopeOfRow(row));
}
