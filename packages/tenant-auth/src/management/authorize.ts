import type { GenericEndpointContext } from "@better-auth/core";
import { getSessionFromCtx } from "better-auth/api";
import { constantTimeEqual } from "better-auth/crypto";
import { type Actor, setActor } from "../audit/audit-event";
import { isPlatformAdmin } from "../context/acting-admin";
import { requireState } from "../context/current-state";
import {
	findBearerToken,
	findPresentedSessionTokens,
	headersOf,
} from "../context/presented-sessions";
import { scopeOf, type TenantScope } from "../context/tenant";
import { findNamedTenantId } from "../context/tenant-id";
import { digest } from "../database/digest";
import type { ResolvedOptions } from "../options";
import type { ManagementAction } from "../routes";
import { tenantError } from "../tenant-error";

/**
 * Throws if the caller may not manage.
 *
 * `tenantId` must come from the same value that the action uses.
 */
export async function requireManagement(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
	request: { action: ManagementAction; tenantId: string | null },
): Promise<void> {
	if (isTrustedServerCall(ctx)) return setActor({ kind: "server", id: null });
	const key = await findManagementKey(headersOf(ctx), options.managementKeys);
	if (key) return setActor({ kind: "key", id: key });
	const actor = await requireState(ctx.context).ignoringNamedTenant(() =>
		findActor(ctx, options, request),
	);
	if (actor) return setActor(actor);
	throw tenantError("TENANT_MANAGEMENT_NOT_ALLOWED", {
		status: hasNoCredentials(ctx) ? "UNAUTHORIZED" : "FORBIDDEN",
	});
}

/** Who the caller's session is, if it may manage. */
async function findActor(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
	request: { action: ManagementAction; tenantId: string | null },
): Promise<Actor | null> {
	const administrator = await findAdministrator(ctx, options);
	if (administrator) return { kind: "administrator", id: administrator };
	if ((await options.canManageTenants?.(ctx, request)) !== true) return null;
	const found = ctx.context.session ?? (await getSessionFromCtx(ctx));
	return { kind: "host", id: found?.user.id ?? null };
}

/** The rule of Better Auth's admin plugin: a call without a request and headers is server code. */
function isTrustedServerCall(ctx: GenericEndpointContext): boolean {
	return !ctx.request && !ctx.headers;
}

const FINGERPRINT_LENGTH = 12;

/** The name of the presented key in the audit log, if it is a management key. */
export async function findManagementKey(
	headers: Headers | undefined,
	keys: string[],
): Promise<string | null> {
	const presented = findBearerToken(headers);
	if (!presented || keys.length === 0) return null;
	const wanted = await digest(presented);
	let found = false;
	// All keys are compared, as digests of one length: the time must not reveal anything about a key.
	for (const key of keys) found = constantTimeEqual(wanted, await digest(key)) || found;
	return found ? wanted.slice(0, FINGERPRINT_LENGTH) : null;
}

async function findAdministrator(ctx: GenericEndpointContext, options: ResolvedOptions) {
	if (options.adminUserIds.length === 0 && options.adminRoles.length === 0) return null;
	// The cookie cache may contain a session that was revoked since.
	const found = await getSessionFromCtx(ctx, { disableCookieCache: true });
	return found && isPlatformAdmin(found, options) ? found.user.id : null;
}

function hasNoCredentials(ctx: GenericEndpointContext): boolean {
	return !headersOf(ctx)?.get("authorization") && findPresentedSessionTokens(ctx).length === 0;
}

/**
 * The tenant that a management call names, after a check that the caller may manage it. It may be
 * suspended. The call itself does not enter the tenant: its caller is not one of the tenant's users.
 */
export async function requireManagedTenant(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
	action: ManagementAction,
): Promise<TenantScope> {
	const tenantId = await findNamedTenantId(ctx, options);
	await requireManagement(ctx, options, { action, tenantId: tenantId ?? null });
	if (!tenantId) throw tenantError("TENANT_ID_REQUIRED");
	const tenant = await requireState(ctx.context).readTenant(tenantId);
	if (!tenant || tenant.erasingSince) throw tenantError("TENANT_NOT_FOUND");
	return scopeOf(tenant);
}
