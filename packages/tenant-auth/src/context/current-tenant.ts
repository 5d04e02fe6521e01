import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { findTenant } from "../tenants/store";
import { type Tenant, toTenant } from "../tenants/tenant";
import { currentScope } from "./current-scope";
import { ACROSS, findRequestScope, PLATFORM_ID, runInScope, scopeOf } from "./scope";

type StoreContext = Pick<AuthContext, "adapter">;

/** The tenant of the running request with all its fields; `null` for the platform. */
export async function findCurrentTenant(ctx: StoreContext): Promise<Tenant | null> {
	const scope = await currentScope();
	if (scope === ACROSS || scope.tenantId === PLATFORM_ID) return null;
	const request = findRequestScope();
	const row = request?.tenant ?? (await findTenant(ctx, "id", scope.tenantId));
	return row && toTenant(row);
}

/**
 * The id of the tenant that the running request is in; `null` for the platform.
 *
 * It answers anywhere in a request: in `hooks`, `databaseHooks`, `validateUserInfo`, mail callbacks
 * and in the callbacks of other plugins.
 *
 * @example
 * ```ts
 * sendMagicLink: async ({ email, url }) => mail(email, url, brandOf(await getCurrentTenantId()))
 * ```
 */
export async function getCurrentTenantId(): Promise<string | null> {
	const scope = await currentScope();
	return scope === ACROSS ? null : scope.tenantId || null;
}

/** Any instance: the type of its adapter depends on the host's options, so it is left open here. */
interface Auth {
	$context: Promise<{ adapter: unknown }>;
}

/**
 * Runs `work` in a tenant: calls of `auth.api` and of the adapter in it concern that tenant alone.
 * For jobs and scripts, which otherwise are the platform's.
 *
 * @example
 * ```ts
 * await runInTenant(auth, tenantId, () => auth.api.requestPasswordReset({ body: { email } }));
 * ```
 */
export async function runInTenant<T>(
	auth: Auth,
	tenantId: string,
	work: () => Promise<T>,
): Promise<T> {
	const ctx = (await auth.$context) as StoreContext;
	const tenant = await findTenant(ctx, "id", tenantId);
	if (!tenant || tenant.erasingSince) {
		throw new BetterAuthError(`runInTenant: there is no tenant ${JSON.stringify(tenantId)}`);
	}
	return runInScope(scopeOf(tenant), work);
}

/**
 * Runs `work` with sight of every tenant's rows, and of the platform's. Rows that it creates belong
 * to the tenant that their `tenantId` names. Nothing keeps tenants apart in there: take care. To
 * search or change what other plugins keep unique per tenant, such as usernames, enter the tenant.
 *
 * @example
 * ```ts
 * const { adapter } = await auth.$context;
 * const users = await runAcrossTenants(() => adapter.count({ model: "user" }));
 * ```
 */
export function runAcrossTenants<T>(work: () => Promise<T>): Promise<T> {
	return runInScope(ACROSS, work);
}
