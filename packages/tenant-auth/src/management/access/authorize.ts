import type { GenericEndpointContext } from "@better-auth/core";
import { getSessionFromCtx } from "better-auth/api";
import { constantTimeEqual } from "better-auth/crypto";
import * as z from "zod";
import { isPlatformAdmin } from "../../call/context/acting-admin";
import { requireInstance, requireState, runInScope } from "../../call/context/current-state";
import { passGate, requireExisting } from "../../call/context/gate";
import { findAnyImpersonator } from "../../call/context/impersonation";
import {
	findBearerToken,
	findLiveSession,
	findPresentedSessionTokens,
	headersOf,
} from "../../call/context/presented-sessions";
import { PLATFORM_ID, type TenantRow, tenantIdOf } from "../../call/context/tenant";
import { findNamedTenantId } from "../../call/context/tenant-id";
import { digest } from "../../database/digest";
import type { ResolvedOptions } from "../../options";
import type { ManagementAction } from "../../routes";
import type { ManagementCaller } from "../../tenant-auth-options";
import { tenantError } from "../../tenant-error";
import { type Actor, requireActor, setActor } from "../audit/audit-event";
import { type ActingMember, setActingMember } from "./acting-member";
import { isActive, permits, roleOf } from "./roles";

interface ManagementRequest {
	action: ManagementAction;
	tenantId: string | null;
}

/**
 * Throws if the caller may not manage. Returns the tenant that the call manages.
 *
 * `tenantId` must come from the same value that the action uses.
 *
 * @param mayMeanOwn whether `null` means their own tenant for a user who manages it by their role
 */
export async function requireManagement(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
	request: ManagementRequest,
	{ mayMeanOwn = false } = {},
): Promise<string | null> {
	const allow = (actor: Actor, tenantId = request.tenantId) => {
		setActor(actor);
		return tenantId;
	};
	if (isTrustedServerCall(ctx)) return allow({ kind: "server", id: null });
	const key = await findManagementKey(headersOf(ctx), options.managementKeys);
	if (key) return allow({ kind: "key", id: key });
	const caller = await requireState(ctx.context).ignoringNamedTenant(() =>
		findCaller(ctx, options, request, mayMeanOwn),
	);
	if (!caller) {
		const hint = findMistake(ctx);
		throw tenantError("TENANT_MANAGEMENT_NOT_ALLOWED", {
			status: hasNoCredentials(ctx) ? "UNAUTHORIZED" : "FORBIDDEN",
			...(hint ? { message: `You are not allowed to manage tenants. ${hint}` } : {}),
		});
	}
	if (!("role" in caller)) return allow(caller);
	setActingMember(caller);
	return allow({ kind: "member", id: caller.userId }, caller.tenantId);
}

/** What developers get wrong first. It depends on the form of the call alone. */
function findMistake(ctx: GenericEndpointContext): string | null {
	if (!ctx.request) return "In server code, leave out headers: then the call is trusted";
	const authorization = headersOf(ctx)?.get("authorization");
	if (!authorization || /^\S+\s+\S/.test(authorization)) return null;
	return "A management key needs a scheme: Authorization: Bearer <key>";
}

/** Who the caller's session is, if it may manage. */
async function findCaller(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
	request: ManagementRequest,
	mayMeanOwn: boolean,
): Promise<Actor | ActingMember | null> {
	const administrator = await findAdministrator(ctx, options);
	if (administrator) return { kind: "administrator", id: administrator };
	const signedIn = await findSignedInMember(ctx);
	const member = signedIn && permits(options, signedIn.role, request.action) ? signedIn : null;
	// A role applies in its user's own tenant only.
	const managed = request.tenantId ?? (mayMeanOwn ? member?.tenantId : null);
	if (member && managed === member.tenantId) return member;
	const result = await options.canManageTenants?.(ctx, request);
	if (result !== true) return findActor(result);
	const found = ctx.context.session ?? (await getSessionFromCtx(ctx));
	return { kind: "host", id: found?.user.id ?? null };
}

/** Who acts for the app, by the result of `canManageTenants`. Any other value does not allow. */
function findActor(result: unknown): Actor | null {
	const { data } = callerSchema.safeParse(result);
	if (!data) return null;
	const { kind, id, name } = data.actor;
	return { kind, id, ...(name ? { name } : {}) };
}

const callerSchema: z.ZodType<ManagementCaller> = z.object({
	actor: z.object({
		kind: z.enum(["administrator", "key"]),
		id: z.string().min(1),
		name: z.string().optional(),
	}),
});

/**
 * The user of a tenant whose session the request carries, with the current role. `null` for a
 * session that manages nothing, whatever its user's role permits.
 */
export async function findSignedInMember(
	ctx: GenericEndpointContext,
): Promise<ActingMember | null> {
	const { authCookies, secret, internalAdapter } = ctx.context;
	// Not `ctx.context.session`: a hook may have set it from the cookie cache, or made it for an API key.
	const token = await ctx.getSignedCookie(authCookies.sessionToken.name, secret);
	const found = token ? await findLiveSession(ctx, token) : null;
	const tenantId = found ? tenantIdOf(found.session) : PLATFORM_ID;
	// Impersonating a user does not give their rights over others.
	if (!found || tenantId === PLATFORM_ID || findAnyImpersonator(found.session)) return null;
	const gate = await passGate(requireState(ctx.context), tenantId);
	if ("refusal" in gate) return null;
	// A secondary storage has a copy of the user, which may be old.
	const user = await runInScope(requireInstance(ctx.context), gate.scope, () =>
		internalAdapter.findUserById(found.user.id),
	);
	return user && isActive(user) ? { userId: user.id, tenantId, role: roleOf(user) } : null;
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

/**
 * Throws unless the caller is the app itself: server code, a management key, a platform admin, or
 * somebody of whom `canManageTenants` says so. Kinds of callers that are not listed are rejected, such as
 * a tenant's admin whom it allows with `true`.
 *
 * @param what completes "Only the app can …"
 */
export function requireApp(what: string): void {
	if (["server", "key", "administrator"].includes(requireActor().kind)) return;
	throw tenantError("TENANT_MANAGEMENT_NOT_ALLOWED", {
		message: `Only the app can ${what}: server code, a management key or a platform admin`,
	});
}

function hasNoCredentials(ctx: GenericEndpointContext): boolean {
	return !headersOf(ctx)?.get("authorization") && findPresentedSessionTokens(ctx).length === 0;
}

/**
 * The tenant that a management call names, after a check that the caller may manage it. It may be
 * suspended. The call itself does not enter the tenant: its caller may not be one of the tenant's users.
 * A user who manages their own tenant by their role does not have to name it.
 */
export async function requireManagedTenant(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
	action: ManagementAction,
): Promise<TenantRow> {
	const named = (await findNamedTenantId(ctx, options)) ?? null;
	const request = { action, tenantId: named };
	const tenantId = await requireManagement(ctx, options, request, { mayMeanOwn: true });
	if (!tenantId) throw tenantError("TENANT_ID_REQUIRED");
	return requireExisting(await requireState(ctx.context).readTenant(tenantId), tenantId);
}
