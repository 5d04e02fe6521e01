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
import { noteActor } from "./actor";
import { isPlatformAdministrator } from "./platform-administrator";

/**
 * Lets the call go on only if the caller may manage.
 *
 * `tenantId` is the tenant that will be acted on, taken from the very value that the action uses.
 */
export async function requireManagement(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
	request: { action: ManagementAction; tenantId: string | null },
): Promise<void> {
	if (isTrustedServerCall(ctx)) return noteActor({ kind: "server", id: null });
	const key = await findManagementKey(ctx, options.managementKeys);
	if (key) return noteActor({ kind: "key", id: key });
	// A tenant that is named here is what is managed, not where the caller's session lives.
	const scope = findRequestScope();
	if (scope) scope.followsSession = true;
	const administrator = await findAdministrator(ctx, options);
	if (administrator) return noteActor({ kind: "administrator", id: administrator });
	if ((await options.canManageTenants?.(ctx, request)) === true) {
		const found = ctx.context.session ?? (await getSessionFromCtx(ctx));
		return noteActor({ kind: "host", id: found?.user.id ?? null });
	}
	throw tenantError("TENANT_MANAGEMENT_NOT_ALLOWED", {
		status: presentsNothing(ctx) ? "UNAUTHORIZED" : "FORBIDDEN",
	});
}

/** Better Auth's own rule for its admin calls: no request and no headers, so it is server code. */
function isTrustedServerCall(ctx: GenericEndpointContext): boolean {
	return !ctx.request && !ctx.headers;
}

const FINGERPRINT_LENGTH = 12;

/** What names the presented key in the audit log, if it is one of ours. */
async function findManagementKey(ctx: GenericEndpointContext, keys: string[]) {
	const presented = findBearerToken(ctx);
	if (!presented || keys.length === 0) return null;
	const wanted = await digest(presented);
	let found = false;
	// Every key is compared, and as digests of one length: the time tells nothing about a key.
	for (const key of keys) found = constantTimeEqual(wanted, await digest(key)) || found;
	return found ? wanted.slice(0, FINGERPRINT_LENGTH) : null;
}

async function findAdministrator(ctx: GenericEndpointContext, options: ResolvedOptions) {
	if (options.adminUserIds.length === 0 && options.adminRoles.length === 0) return null;
	// The cookie cache may hold a session that was revoked since.
	const found = await getSessionFromCtx(ctx, { disableCookieCache: true });
	return found && isPlatformAdministrator(found, options) ? found.user.id : null;
}

function presentsNothing(ctx: GenericEndpointContext): boolean {
	return !headersOf(ctx)?.get("authorization") && findPresentedSessionTokens(ctx).length === 0;
}
