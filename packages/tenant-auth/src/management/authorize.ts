import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { getSessionFromCtx } from "better-auth/api";
import { constantTimeEqual } from "better-auth/crypto";
import { setActor } from "../audit/actor";
import { isPlatformAdmin } from "../context/acting-admin";
import {
	findBearerToken,
	findPresentedSessionTokens,
	headersOf,
} from "../context/presented-sessions";
import { requireState } from "../context/request-state";
import { digest } from "../database/digest";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes";
import type { ManagementAction, ResolvedOptions } from "../options";

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
	if (isTrustedServerCall(ctx)) return setActor({ kind: "server", id: null });
	const key = await findManagementKey(ctx, options.managementKeys);
	if (key) return setActor({ kind: "key", id: key });
	// The call names the tenant that it manages. Its caller may have a session of another one.
	requireState().ignoreNamedTenant();
	const administrator = await findAdministrator(ctx, options);
	if (administrator) return setActor({ kind: "administrator", id: administrator });
	if ((await options.canManageTenants?.(ctx, request)) === true) {
		const found = ctx.context.session ?? (await getSessionFromCtx(ctx));
		return setActor({ kind: "host", id: found?.user.id ?? null });
	}
	throw APIError.from(
		presentsNothing(ctx) ? "UNAUTHORIZED" : "FORBIDDEN",
		TENANT_AUTH_ERROR_CODES.TENANT_MANAGEMENT_NOT_ALLOWED,
	);
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
	return found && isPlatformAdmin(found, options) ? found.user.id : null;
}

function presentsNothing(ctx: GenericEndpointContext): boolean {
	return !headersOf(ctx)?.get("authorization") && findPresentedSessionTokens(ctx).length === 0;
}
