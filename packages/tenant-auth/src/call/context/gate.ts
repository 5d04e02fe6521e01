import type { GenericEndpointContext } from "@better-auth/core";
import type { APIError } from "@better-auth/core/error";
import type { ResolvedOptions } from "../../options";
import { SLUG_PATTERN } from "../../rules";
import { tenantError } from "../../tenant-error";
import { requireState } from "./current-state";
import { checkNamedCall, checkNewPassword } from "./policy-check";
import type { RequestState, TenantInstance } from "./request-state";
import {
	ALL_TENANTS,
	PLATFORM,
	PLATFORM_ID,
	type Scope,
	scopeOf,
	type TenantRow,
	type TenantScope,
	tenantIdIn,
} from "./tenant";
import { findNamedTenantId, requireNamedTenantId } from "./tenant-id";

/** Why a tenant admits nobody. */
export type Refusal = "not-found" | "being-deleted" | "suspended";

/** A tenant that exists and is open, with the scope of its rows. */
export interface OpenTenant {
	tenant: TenantRow;
	scope: TenantScope;
}

/**
 * The gate: turns a tenant id into an open tenant, or says why not. Every way into a tenant goes
 * through it, and nothing else decides what a suspended or deleted tenant means.
 *
 * It costs one read by primary key. A call that asks again for the same tenant does not read again.
 */
export async function passGate(
	reader: RequestState | TenantInstance,
	tenantId: string,
): Promise<OpenTenant | { refusal: Refusal }> {
	return judge(await reader.readTenant(tenantId));
}

/** All that the gate looks at. */
export const GATE_FIELDS = ["id", "erasingSince", "suspendedAt"] as const;
export type GateFields = Pick<TenantRow, (typeof GATE_FIELDS)[number]>;

/** Whether there is such a tenant. One that is being deleted does not exist any more; a suspended one does. */
export const exists = <Row extends GateFields>(tenant: Row | null | undefined): tenant is Row =>
	!!tenant && !tenant.erasingSince;

export const isOpen = (tenant: GateFields): boolean => !("refusal" in judge(tenant));

function judge<Row extends GateFields>(
	tenant: Row | null,
): { tenant: Row; scope: TenantScope } | { refusal: Refusal } {
	if (!tenant) return { refusal: "not-found" };
	if (!exists(tenant)) return { refusal: "being-deleted" };
	if (tenant.suspendedAt) return { refusal: "suspended" };
	return { tenant, scope: scopeOf(tenant) };
}

/**
 * @param named what the caller has named, if it was an id
 * @throws APIError `TENANT_NOT_FOUND` or `TENANT_SUSPENDED`
 */
export function requireOpen(tenant: TenantRow | null, named?: string): OpenTenant {
	const result = judge(tenant);
	if ("refusal" in result) throw errorFor(result.refusal, named);
	return result;
}

/** @throws APIError `TENANT_NOT_FOUND` */
export function requireExisting(tenant: TenantRow | null, named?: string): TenantRow {
	if (!exists(tenant)) throw tenantNotFound(named);
	return tenant;
}

const errorFor = (refusal: Refusal, named?: string) =>
	refusal === "suspended" ? tenantError("TENANT_SUSPENDED") : tenantNotFound(named);

/**
 * The message depends on what the caller sent alone. It must not say whether a tenant has this slug.
 *
 * @param named what the caller has named, if it was an id
 */
export function tenantNotFound(named = ""): APIError {
	const message = "Tenant not found. If this is its slug, pass its id instead";
	return tenantError("TENANT_NOT_FOUND", looksLikeSlug(named) ? { message } : {});
}

/** Ids that Better Auth makes are longer, or numbers. */
const looksLikeSlug = (named: string) =>
	named.length < 32 && SLUG_PATTERN.test(named) && /[a-z]/.test(named);

function findRefusalError(tenant: TenantRow): Error | null {
	const result = judge(tenant);
	return "refusal" in result ? errorFor(result.refusal) : null;
}

/**
 * Puts a call into the tenant that it names. A call that the tenant does not admit is refused: a hook that
 * goes on must not work on the platform.
 */
export async function enterTenant(state: RequestState, tenantId: string): Promise<void> {
	const tenant = await state.readTenant(tenantId);
	// A call inside of the tenant's own request shares its state, and that request goes on.
	const isEntered = state.scope !== null && tenantIdIn(state.scope) === tenantId;
	try {
		state.resolve(requireOpen(tenant, tenantId).scope, tenant);
		if (tenant?.policy) await checkNamedCall(state, tenant);
	} catch (error) {
		const scope = exists(tenant) ? scopeOf(tenant) : PLATFORM;
		if (!isEntered && error instanceof Error) state.refuse(error, "name", scope);
		throw error;
	}
}

/** Puts a call of one of our endpoints into the tenant that it names, whatever session it carries. */
export async function enterNamedTenant(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
): Promise<void> {
	await resetAndEnter(ctx, await requireNamedTenantId(ctx, options));
}

/** The same for an endpoint that works in the tenant of its session, if the call names none. */
export async function enterTenantIfNamed(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
): Promise<void> {
	const tenantId = await findNamedTenantId(ctx, options);
	if (tenantId !== undefined) await resetAndEnter(ctx, tenantId);
}

/**
 * Puts a call of one of our endpoints into a tenant. A hook that ran before may have resolved the scope
 * by a session or an API key, and read the session.
 */
export async function resetAndEnter(ctx: GenericEndpointContext, tenantId: string): Promise<void> {
	const state = requireState(ctx.context);
	state.reset();
	ctx.context.session = null;
	await enterTenant(state, tenantId);
}

/**
 * Puts a call into the tenant of a token that it presents, or of another row that it names. `""` is the
 * platform.
 *
 * Core must be able to read the OAuth state of a refused tenant: it contains the URL for errors. What
 * follows is refused.
 */
export async function enterTenantOfToken(state: RequestState, tenantId: string): Promise<void> {
	// At the host of one tenant, a flow of another tenant or of the platform finishes nothing.
	if (!state.admitsTokenOf(tenantId)) {
		const error = tenantError("TENANT_MISMATCH");
		state.refuse(error, "row", PLATFORM);
		throw error;
	}
	if (state.scope !== null) return requireSameTenant(state, state.scope, tenantId);
	if (tenantId === PLATFORM_ID) {
		state.resolve(PLATFORM);
		return checkNewPassword(state, null);
	}
	const { resolution } = state;
	const tenant = await state.readTenant(tenantId);
	if (tenant && resolution.kind === "awaiting-token" && resolution.token === "oauth-state") {
		const error = findRefusalError(tenant);
		if (error) return state.refuse(error, "oauth-state", scopeOf(tenant));
	}
	const error = tenant && findRefusalError(tenant);
	// A plugin may catch the error. The call must not go on as one of the platform.
	if (error) state.refuse(error, "row", scopeOf(tenant));
	state.resolve(requireOpen(tenant).scope, tenant);
	await checkNewPassword(state, tenant);
}

/** The request has named a tenant. A row of another one is refused before anything is used up. */
function requireSameTenant(state: RequestState, scope: Scope, tenantId: string): void {
	if (scope !== ALL_TENANTS && scope.tenantId !== tenantId) {
		const error = tenantError("TENANT_MISMATCH");
		state.refuse(error, "row", scope);
		throw error;
	}
	state.noteExpectedRow();
}

/**
 * Puts a call into the tenant of the session that it carries, and says whether the session is valid.
 *
 * The session of a suspended tenant is not valid, but it stays: it is valid again when the tenant is
 * resumed. The call must not go on as one of the platform. A session of a deleted tenant is like one
 * that does not exist.
 */
export async function enterTenantOfSession(
	state: RequestState,
	tenantId: string,
): Promise<boolean> {
	if (tenantId === PLATFORM_ID) {
		state.resolve(PLATFORM);
		return true;
	}
	const tenant = await state.readTenant(tenantId);
	if (!exists(tenant)) return false;
	const error = findRefusalError(tenant);
	// The one thing that goes on in a suspended tenant: an admin stops impersonating a user of it.
	if (error && !state.actingAdmin?.ending) state.refuse(error, "session", scopeOf(tenant));
	else state.resolve(scopeOf(tenant), tenant);
	return state.scope !== null;
}
