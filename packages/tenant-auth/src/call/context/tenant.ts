import type { AuthContext } from "@better-auth/core";
import { currentAdapter } from "../../database/current-adapter";

export const TENANT_MODEL = "tenant";

/** A tenant as the database stores it. Plugins may have added columns. */
export type TenantRow = {
	id: string;
	name: string;
	slug: string;
	/** A JSON object as text. */
	metadata: string | null;
	/** A JSON object as text. */
	policy: string | null;
	createdAt: Date;
	updatedAt: Date;
	/** Set while the tenant is being deleted. */
	erasingSince: Date | null;
	/** Set while the tenant is suspended. */
	suspendedAt: Date | null;
};

export async function findTenantRow(
	ctx: Pick<AuthContext, "adapter">,
	field: "id" | "slug",
	value: string,
): Promise<TenantRow | null> {
	const where = [{ field, value }];
	const row = await currentAdapter(ctx.adapter).findOne<TenantRow>({ model: TENANT_MODEL, where });
	// MySQL ignores case and trailing spaces. The check who may manage used the text as it was sent.
	return row?.[field] === value ? row : null;
}

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

export function scopeOf(tenant: Pick<TenantRow, "id">): TenantScope {
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
