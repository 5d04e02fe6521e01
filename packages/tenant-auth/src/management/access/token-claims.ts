import { getCurrentTenantId } from "../../call/context/current-scope";
import { findState } from "../../call/context/current-state";
import type { ManagementAction } from "../../routes";
import { actionsOfRole, roleOf } from "./roles";

/** What tokens of a tenant say about it, and by scope about the user. */
export interface TenantClaims {
	tenant_id?: string;
	/** With the scope `roles`: the role of the user in the tenant. */
	roles?: string[];
	/** With the scope `permissions`: what the role lets the user manage in the tenant. */
	permissions?: ManagementAction[];
}

/**
 * Claims for the tokens of Better Auth's `oauth-provider` plugin: `tenant_id`, and with the scopes `roles`
 * and `permissions` the role of the user and what it permits. On the platform there are none.
 *
 * @example
 * ```ts
 * oauthProvider({
 *   scopes: ["openid", "profile", "email", "offline_access", "roles", "permissions"],
 *   customIdTokenClaims: tenantClaims,
 *   customAccessTokenClaims: tenantClaims,
 *   customUserInfoClaims: tenantClaims,
 * });
 * ```
 */
export async function tenantClaims({
	user,
	scopes,
}: {
	user?: object | null | undefined;
	scopes: readonly string[];
}): Promise<TenantClaims> {
	const tenantId = await getCurrentTenantId();
	if (tenantId === null) return {};
	const claims: TenantClaims = { tenant_id: tenantId };
	// A role is valid in the tenant of its user only.
	if (!user || !("tenantId" in user) || user.tenantId !== tenantId) return claims;
	const role = roleOf(user);
	if (scopes.includes("roles")) claims.roles = [role];
	const instance = findState()?.instance;
	if (instance && scopes.includes("permissions")) {
		claims.permissions = actionsOfRole(instance.options, role);
	}
	return claims;
}
