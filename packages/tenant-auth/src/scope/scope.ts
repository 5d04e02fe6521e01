import {
	defineRequestState,
	hasRequestState,
	runWithRequestState,
} from "@better-auth/core/context";

declare const checked: unique symbol;

/**
 * Whose rows a piece of work may touch: one tenant's, or the platform's (`tenantId` is `""`).
 *
 * Only `src/scope` makes one, after it has checked that the tenant is there, so a function that
 * takes a `TenantScope` cannot be called with an id that came straight from a request.
 */
export interface TenantScope {
	readonly tenantId: string;
	readonly [checked]: true;
}

/** The value of `tenantId` in rows that belong to no tenant. */
export const PLATFORM_ID = "";

export const PLATFORM = { tenantId: PLATFORM_ID } as TenantScope;

/** Reaches every tenant's rows. Entered on purpose only, through {@link acrossTenants}. */
export const ACROSS = Symbol("across tenants");

/**
 * What is known of a request's scope so far.
 *
 * - `scope`: settled; every read and write keeps to it.
 * - `awaitingOAuthState`: an OAuth callback; the state it presents tells the tenant.
 * - `followsSession`: no tenant may be named for this request, only its session counts.
 */
export interface RequestScope {
	scope?: TenantScope | typeof ACROSS;
	settling?: Promise<TenantScope | typeof ACROSS>;
	awaitingOAuthState?: boolean;
	followsSession?: boolean;
	/** The OAuth state must be a tenant's. */
	mustBeTenant?: boolean;
	/** A session of another tenant was presented and refused: its cookies stay as they are. */
	sessionRefused?: boolean;
}

const requestScope = defineRequestState<RequestScope>(() => ({}));

/** The scope record of the running request, or `null` in code that runs with no request. */
export async function findRequestScope(): Promise<RequestScope | null> {
	return (await hasRequestState()) ? requestScope.get() : null;
}

/** To be called by the scope's own modules after the tenant was found in the database. */
export function scopeOf(tenant: { id: string }): TenantScope {
	return { tenantId: tenant.id } as TenantScope;
}

/** What a row says of itself. A row without a tenant is the platform's. */
export function scopeOfRow(row: object): TenantScope {
	const tenantId = "tenantId" in row ? row.tenantId : PLATFORM_ID;
	return typeof tenantId === "string" && tenantId !== PLATFORM_ID
		? ({ tenantId } as TenantScope)
		: PLATFORM;
}

/** Settles the running request's scope. */
export async function enterScope(scope: TenantScope): Promise<void> {
	const request = await requestScope.get();
	request.scope = scope;
	request.awaitingOAuthState = false;
}

/** From here on the OAuth state that the request presents tells its tenant, which it must have. */
export async function awaitOAuthState(): Promise<void> {
	const request = await requestScope.get();
	delete request.scope;
	request.awaitingOAuthState = true;
	request.mustBeTenant = true;
}

/** Runs `work` in a scope of its own, whatever the request around it is in. */
export async function runInScope<T>(
	scope: TenantScope | typeof ACROSS,
	work: () => Promise<T>,
): Promise<T> {
	return runWithRequestState(new WeakMap(), async () => {
		(await requestScope.get()).scope = scope;
		return work();
	});
}

/** Runs `work` with sight of every tenant's rows. */
export function acrossTenants<T>(work: () => Promise<T>): Promise<T> {
	return runInScope(ACROSS, work);
}
