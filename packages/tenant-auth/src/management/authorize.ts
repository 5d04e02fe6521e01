import type { GenericEndpointContext } from "@better-auth/core";
import { getSessionFromCtx } from "better-auth/api";
import { constantTimeEqual } from "better-auth/crypto";
import { findPresentedSessionTokens } from "../context/presented-sessions";
import { findBearerToken, headersOf } from "../context/request-headers";
import { findRequestScope } from "../context/scope";
import { digest } from "../database/digest";
import type { ResolvedOptions } from "../options";
import type { ManagementAction } from "../routes";
import { tenantError } from "../tenant-error";
import { setActor } from "./actor";
import { isPlatformAdministrator } from "./platform-administrator";

/**
 * Throws unless the caller may do this to the tenant.
 *
 * `tenantId` must be the same value that the action uses afterwards.
 */
export async function requireManagement(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
	request: { action: ManagementAction; tenantId: string | null },
): Promise<void> {
	if (isTrustedServerCall(ctx)) return setActor({ kind: "server", id: null });
	const key = await findManagementKey(ctx, options.managementKeys);
	if (key) return setActor({ kind: "key", id: key });
	// The named tenant is the one to manage. The caller's session may belong to another one.
	const scope = findRequestScope();
	if (scope) scope.followsSession = true;
	const administrator = await findAdministrator(ctx, options);
	if (administrator) return setActor({ kind: "administrator", id: administrator });
	if ((await options.canManageTenants?.(ctx, request)) === true) {
		const found = ctx.context.session ?? (await getSessionFromCtx(ctx));
		return setActor({ kind: "host", id: found?.user.id ?? null });
	}
	throw tenantError("TENANT_MANAGEMENT_NOT_ALLOWED", {
		status: hasNoCredentials(ctx) ? "UNAUTHORIZED" : "FORBIDDEN",
	});
}

/** The rule of Better Auth's admin plugin: a call without a request and headers is server code. */
function isTrustedServerCall(ctx: GenericEndpointContext): boolean {
	return !ctx.request && !ctx.headers;
}

const FINGERPRINT_LENGTH = 12;

/** The id of the management key in the audit log, or `null` if the caller sent no valid one. */
async function findManagementKey(ctx: GenericEndpointContext, keys: string[]) {
	const presented = findBearerToken(ctx);
	if (!presented || keys.length === 0) return null;
	const wanted = await digest(presented);
	let found = false;
	// All keys are compared, as digests of equal length, so the time does not depend on the keys.
	for (const key of keys) found = constantTimeEqual(wanted, await digest(key)) || found;
	return found ? wanted.slice(0, FINGERPRINT_LENGTH) : null;
}

async function findAdministrator(ctx: GenericEndpointContext, options: ResolvedOptions) {
	if (options.adminUserIds.length === 0 && options.adminRoles.length === 0) return null;
	// The cookie cache may contain a session that was revoked since.
	const found = await getSessionFromCtx(ctx, { disableCookieCache: true });
	return found && isPlatformAdministrator(found, options) ? found.user.id : null;
}

function hasNoCredentials(ctx: GenericEndpointContext): boolean {
	return !headersOf(ctx)?.get("authorization") && findPresentedSessionTokens(ctx).length === 0;
}
