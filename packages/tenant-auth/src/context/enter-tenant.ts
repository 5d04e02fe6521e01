import type { GenericEndpointContext } from "@better-auth/core";
import { isOfSuspendedTenant } from "../isolation/suspension-mark";
import type { ResolvedOptions } from "../options";
import { findTenant } from "../tenants/store";
import type { TenantRow } from "../tenants/tenant";
import { tenantNotFound, tenantSuspended } from "../tenants/tenant-errors";
import { findLiveSession, findPresentedSessionTokens } from "./presented-sessions";
import {
	acrossTenants,
	enterScope,
	type RequestScope,
	requireRequestScope,
	scopeOf,
	scopeOfRow,
	settle,
	type TenantScope,
	unsettle,
} from "./scope";
import { findNamedTenantId, isPossibleId, requireNamed, requirePossibleId } from "./tenant-id";

/** The scope of a tenant that exists, is neither being erased nor suspended, and the tenant. */
async function requireOpenTenant(
	ctx: GenericEndpointContext,
	tenantId: string,
): Promise<{ scope: TenantScope; tenant: TenantRow }> {
	const found = await requireTenantInScope(ctx, tenantId);
	if (found.tenant.suspendedAt) throw tenantSuspended();
	return found;
}

async function requireTenantInScope(
	ctx: GenericEndpointContext,
	tenantId: string,
): Promise<{ scope: TenantScope; tenant: TenantRow }> {
	const tenant = isPossibleId(ctx, tenantId) ? await findTenant(ctx.context, "id", tenantId) : null;
	if (!tenant || tenant.erasingSince) {
		throw tenantNotFound();
	}
	return { scope: scopeOf(tenant), tenant };
}

/** For somebody who manages the tenant. It may be suspended. */
export async function requireScope(
	ctx: GenericEndpointContext,
	tenantId: string,
): Promise<TenantScope> {
	return (await requireTenantInScope(ctx, tenantId)).scope;
}

/**
 * Puts a sign-in into the tenant that it names. The tenant is looked up only if no user is found in it.
 */
export async function claimNamedTenant(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
): Promise<void> {
	claim(ctx, requireRequestScope(), requireNamed(await findNamedTenantId(ctx, options)));
}

function claim(
	ctx: GenericEndpointContext,
	request: RequestScope,
	tenantId: string,
	{ joins = false } = {},
): void {
	const check = async () => {
		const { scope, tenant } = await requireOpenTenant(ctx, tenantId);
		settle(request, scope, tenant);
	};
	requirePossibleId(ctx, tenantId);
	// A hook that ran before may have settled it, by the session.
	unsettle(request);
	request.claim = { tenantId, joins, check };
}

export async function enterTenant(
	ctx: GenericEndpointContext,
	tenantId: string,
): Promise<TenantScope> {
	const { scope, tenant } = await requireOpenTenant(ctx, tenantId);
	enterScope(scope, tenant);
	return scope;
}

/**
 * Puts a sign-up into the tenant that it names. A tenant that was there before is not looked up
 * again: it is held when the user is created, and that refuses when it is gone (`holdTenant`). Only
 * an address that is taken, by a user who bears the mark of a suspension, has it looked up.
 */
export async function enterTenantToJoin(
	ctx: GenericEndpointContext,
	{ knownTenants }: ResolvedOptions,
	tenantId: string,
): Promise<void> {
	if (knownTenants.has(tenantId)) {
		return claim(ctx, requireRequestScope(), tenantId, { joins: true });
	}
	await enterTenant(ctx, tenantId);
	knownTenants.add(tenantId);
}

/**
 * Puts a call of somebody else's endpoint into the tenant that it names.
 *
 * A session of that tenant which the request carries proves that the tenant is there, and then no
 * look-up is needed. A cached one proves nothing: its tenant may be gone by now.
 */
export async function enterAmbientTenant(
	ctx: GenericEndpointContext,
	request: RequestScope,
	options: ResolvedOptions,
	tenantId: string,
): Promise<void> {
	if (ctx.path === "/sign-up/email") return enterTenantToJoin(ctx, options, tenantId);
	if (ctx.path === "/sign-in/email") return claim(ctx, request, tenantId);
	const isCached = ctx.context.options.session?.cookieCache?.enabled === true;
	for (const token of isCached ? [] : findPresentedSessionTokens(ctx)) {
		const found = await acrossTenants(() => findLiveSession(ctx, token));
		if (!found || scopeOfRow(found.session).tenantId !== tenantId) continue;
		// Suspended, or being erased: the tenant's own row tells.
		if (await isOfSuspendedTenant(found, ctx.context.options.secondaryStorage)) break;
		request.proof = { token, found };
		return settle(request, scopeOfRow(found.session));
	}
	const { scope, tenant } = await requireOpenTenant(ctx, tenantId);
	settle(request, scope, tenant);
}
