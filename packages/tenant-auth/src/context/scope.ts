import type { AuthContext } from "@better-auth/core";
import { getRequestStateAsyncLocalStorage } from "@better-auth/core/context";
import type { TenantRow } from "../tenants/tenant";

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

export type AnyScope = TenantScope | typeof ACROSS;

export type FoundSession = NonNullable<
	Awaited<ReturnType<AuthContext["internalAdapter"]["findSession"]>>
>;

/** What is known of a request's scope so far. */
export interface RequestScope {
	/** Settled: every read and write keeps to it. */
	scope?: AnyScope;
	settling?: Promise<AnyScope>;
	/**
	 * The tenant that a sign-in names and nobody has looked up yet. A user who is found in it proves
	 * that it is there; whoever asks for the scope before that has `check` look. For one who `joins` it,
	 * nobody need be found: making the user holds the tenant, or refuses.
	 */
	claim?: { tenantId: string; joins: boolean; check: () => Promise<void> };
	/** Why the tenant refused a new user. */
	refusal?: unknown;
	/** The tenant's row, where it was read to settle the scope. */
	tenant?: TenantRow;
	/** No tenant may be named for this request: only its session counts. */
	followsSession?: boolean;
	/**
	 * The request presents an unguessable token, which tells the tenant: an OAuth state, or the
	 * token of a link that was sent by mail. Until it is found no session counts, unless one may be
	 * presented in its place.
	 */
	awaits?: "oauth-state" | "token" | "token-or-session";
	/** The OAuth state must be a tenant's. */
	mustBeTenant?: boolean;
	/**
	 * The platform administrator who acts in the tenant: beside the tenant's own, their session counts.
	 * One who `leaves` stops impersonating a user of the tenant.
	 */
	visitor?: { userId: string; leaves?: true };
	/** The session that proved the named tenant. It need not be read again. */
	proof?: { token: string; found: FoundSession };
	/** Tokens of sessions that were found to be of this scope. */
	ownTokens?: Set<string>;
	/** Tokens of another tenant's sessions, which were presented and refused: their cookies stay. */
	refusedTokens?: Set<string>;
	/** Entered on purpose, by code of ours or of the host's, and not by what a request says. */
	isEntered?: true;
	/** It came upon a user of a tenant that is suspended. */
	isSuspended?: boolean;
	/** The request signed somebody in. */
	sessionMade?: boolean;
}

type RequestStates = Awaited<ReturnType<typeof getRequestStateAsyncLocalStorage>>;

/** Where core keeps what belongs to a request. Every read asks for it: it must be at hand at once. */
let requestStates: RequestStates | undefined;

/** To be awaited before the first request. */
export async function openRequestStates(): Promise<RequestStates> {
	requestStates ??= await getRequestStateAsyncLocalStorage();
	return requestStates;
}

const KEY = {};

/** The scope record of the running request, or `null` in code that runs with no request. */
export function findRequestScope(): RequestScope | null {
	const state = requestStates?.getStore();
	if (!state) return null;
	const known: RequestScope | undefined = state.get(KEY);
	if (known) return known;
	const request: RequestScope = {};
	state.set(KEY, request);
	return request;
}

export function requireRequestScope(): RequestScope {
	const request = findRequestScope();
	if (!request) throw new Error("there is no request whose scope could be settled");
	return request;
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
export function enterScope(scope: TenantScope, tenant?: TenantRow): void {
	settle(requireRequestScope(), scope, tenant);
}

export function settle(request: RequestScope, scope: TenantScope, tenant?: TenantRow): void {
	request.scope = scope;
	if (tenant) request.tenant = tenant;
	delete request.awaits;
	delete request.claim;
	delete request.ownTokens;
}

/** Forgets what was settled so far, for what tells better. */
export function unsettle(request: RequestScope): void {
	delete request.scope;
	delete request.settling;
	delete request.tenant;
	delete request.ownTokens;
}

/** The OAuth state that the request presents is to tell its tenant, which it must have. */
export function awaitTenantsOAuthState(): void {
	const request = requireRequestScope();
	unsettle(request);
	request.mustBeTenant = true;
}

/** Runs `work` in a scope of its own, whatever the request around it is in. */
export async function runInScope<T>(scope: AnyScope, work: () => Promise<T>): Promise<T> {
	const request: RequestScope = { scope, isEntered: true };
	const states = requestStates ?? (await openRequestStates());
	return states.run(new WeakMap([[KEY, request]]), work);
}

/** Runs `work` with sight of every tenant's rows. */
export function acrossTenants<T>(work: () => Promise<T>): Promise<T> {
	return runInScope(ACROSS, work);
}
