import type { TenantRow } from "./tenant-row";

declare const verified: unique symbol;

/**
 * Whose rows a piece of work may touch: one tenant's, or the platform's (`tenantId` is `""`).
 *
 * It is made from a tenant's row only. A tenant id from a request is a plain string: a function that
 * takes a `TenantScope` cannot be called with it.
 */
export interface TenantScope {
	readonly tenantId: string;
	readonly [verified]: true;
}

/** The `tenantId` of rows that belong to no tenant. */
export const PLATFORM_ID = "";

export const PLATFORM = { tenantId: PLATFORM_ID } as TenantScope;

/** Reaches the rows of every tenant. Only {@link runAcrossTenants} and our own code enter it. */
export const ALL_TENANTS = Symbol.for("better-auth-tenant:all-tenants");

export type Scope = TenantScope | typeof ALL_TENANTS;

export function scopeOf(tenant: TenantRow): TenantScope {
	return { tenantId: tenant.id } as TenantScope;
}

/** The tenant that a row belongs to. A row without a tenant belongs to the platform. */
export function tenantIdOf(row: object): string {
	const tenantId = "tenantId" in row ? row.tenantId : PLATFORM_ID;
	return typeof tenantId === "string" ? tenantId : PLATFORM_ID;
}

/** The scope's tenant; `null` for the platform and for all tenants. */
export function tenantIdIn(scope: Scope): string | null {
	return scope === ALL_TENANTS ? null : scope.tenantId || null;
}
