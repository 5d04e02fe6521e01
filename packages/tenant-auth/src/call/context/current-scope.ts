import type { GenericEndpointContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { getOAuthState } from "better-auth/api";
import { type AnyAuth, enter, findEndpoint, findState, requireInstance } from "./current-state";
import { enterTenantOfSession, enterTenantOfToken, passGate } from "./gate";
import { findFlow } from "./oauth-flow";
import { findLiveSession, findPresentedSessionTokens } from "./presented-sessions";
import { RequestState, type TenantInstance } from "./request-state";
import {
	ALL_TENANTS,
	PLATFORM,
	PLATFORM_ID,
	type Scope,
	scopeOf,
	type TenantRow,
	tenantIdIn,
	tenantIdOf,
} from "./tenant";

/**
 * The scope that a read or write of tenant data keeps to.
 *
 * It is resolved once per call, as late as possible: by our own endpoints, by the tenant that the
 * request names (`installation/resolve-tenant.ts`), by a token that it presents, or else by the session that it
 * carries. With none of these it is the platform.
 */
export function currentScope(instance?: TenantInstance): Scope | Promise<Scope> {
	const state = findState(instance);
	if (!state) return PLATFORM;
	const { resolution } = state;
	if (resolution.kind === "resolved") return resolution.scope;
	if (resolution.kind === "refused") throw resolution.error;
	if (resolution.kind === "awaiting-token") {
		if (resolution.token === "oauth-state") return resolveByOAuthState(state);
		// Before the token is looked up, or after it was not found, no tenant's data is visible.
		if (!resolution.sessionMayDecide) return PLATFORM;
	}
	return state.resolveOnce(() => resolveBySession(state));
}

async function resolveBySession(state: RequestState): Promise<Scope> {
	const ctx = state.endpoint ?? findEndpoint();
	if (ctx) await readSession(ctx, state);
	if (state.resolution.kind === "refused") throw state.resolution.error;
	return state.scope ?? state.resolve(PLATFORM);
}

/** Reading a session that the request carries resolves the scope. */
async function readSession(ctx: GenericEndpointContext, state: RequestState): Promise<void> {
	const known = ctx.context.session?.session;
	if (known) {
		await enterTenantOfSession(state, tenantIdOf(known));
		return;
	}
	for (const token of findPresentedSessionTokens(ctx)) {
		if (state.sessionMayDecide) await findLiveSession(ctx, token);
	}
}

/**
 * A state in the database or in the secondary storage resolves the scope when it is read. One in a
 * cookie does so after core has decrypted it.
 */
async function resolveByOAuthState(state: RequestState): Promise<Scope> {
	const oauthState = await getOAuthState();
	if (!oauthState) return PLATFORM;
	await enterTenantOfToken(state, findFlow(oauthState)?.tenantId ?? PLATFORM_ID);
	if (state.resolution.kind === "refused") throw state.resolution.error;
	return state.scope ?? PLATFORM;
}

/** The row of the running call's tenant; `null` for the platform. */
export async function findCurrentTenantRow(instance?: TenantInstance): Promise<TenantRow | null> {
	const tenantId = tenantIdIn(await currentScope(instance));
	if (tenantId === null) return null;
	const state = findState(instance);
	return state?.tenant ?? (await state?.readTenant(tenantId)) ?? null;
}

/**
 * The id of the tenant that the running request is in; `null` for the platform.
 *
 * It works anywhere in a request: in `hooks`, `databaseHooks`, `validateUserInfo`, email callbacks and
 * callbacks of other plugins.
 *
 * @example
 * ```ts
 * sendMagicLink: async ({ email, url }) => mail(email, url, brandOf(await getCurrentTenantId()))
 * ```
 */
export async function getCurrentTenantId(): Promise<string | null> {
	try {
		return tenantIdIn(await currentScope());
	} catch (error) {
		// A hook may ask although the tenant is suspended. It gets the id, but no data of the tenant.
		const resolution = findState()?.resolution;
		if (resolution?.kind === "refused") return tenantIdIn(resolution.scope);
		throw error;
	}
}

/**
 * The same for code that cannot wait, such as a logger: `null` also if the tenant is not known yet. It reads
 * nothing.
 *
 * @example
 * ```ts
 * logger: { log: (level, message) => write({ level, message, tenantId: findCurrentTenantId() }) }
 * ```
 */
export function findCurrentTenantId(): string | null {
	const resolution = findState()?.resolution;
	const isKnown = resolution?.kind === "resolved" || resolution?.kind === "refused";
	return isKnown ? tenantIdIn(resolution.scope) : null;
}

export interface RunInTenantOptions {
	/**
	 * Also enter a tenant that is suspended, for example to export its data.
	 *
	 * @default false
	 */
	allowSuspended?: boolean;
}

/**
 * Runs `work` in a tenant: calls of `auth.api` and of the adapter in it concern that tenant alone. Use
 * it in jobs and scripts, which otherwise run on the platform.
 *
 * @throws BetterAuthError if the tenant does not exist, is being deleted, or is suspended
 * @example
 * ```ts
 * await runInTenant(auth, tenantId, () => auth.api.requestPasswordReset({ body: { email } }));
 * ```
 */
export async function runInTenant<T>(
	auth: AnyAuth,
	tenantId: string,
	work: () => Promise<T>,
	{ allowSuspended = false }: RunInTenantOptions = {},
): Promise<T> {
	const instance = requireInstance(await auth.$context);
	const result = await passGate(instance, tenantId);
	const state = new RequestState(instance, findState());
	if (!("refusal" in result)) {
		state.resolve(result.scope, result.tenant);
		return enter(state, work);
	}
	if (result.refusal !== "suspended") {
		const named = await instance.readTenantBySlug(tenantId);
		const hint = named
			? `. This is the slug of the tenant with the id ${named.id}: pass the id`
			: "";
		throw new BetterAuthError(`runInTenant: there is no tenant ${JSON.stringify(tenantId)}${hint}`);
	}
	const row = allowSuspended ? await instance.readTenant(tenantId) : null;
	if (!row) {
		throw new BetterAuthError(
			`runInTenant: the tenant ${JSON.stringify(tenantId)} is suspended. Pass { allowSuspended: true } to enter it anyway.`,
		);
	}
	state.resolve(scopeOf(row), row);
	return enter(state, work);
}

/**
 * Runs `work` across all tenants and the platform. Rows that it creates belong to the tenant that
 * their `tenantId` names. Nothing isolates tenants in there: take care. To search or change what other
 * plugins keep unique per tenant, such as usernames, use {@link runInTenant}.
 *
 * @example
 * ```ts
 * const { adapter } = await auth.$context;
 * const users = await runAcrossTenants(() => adapter.count({ model: "user" }));
 * ```
 */
export function runAcrossTenants<T>(work: () => Promise<T>): Promise<T> {
	return enter(new RequestState(null, findState(), { scope: ALL_TENANTS }), work);
}

/**
 * Runs `work` on the platform: it sees only rows of no tenant. Use it in a request that may be in a
 * tenant, for example to read the session of one of your administrators.
 *
 * @example
 * ```ts
 * const { internalAdapter } = ctx.context;
 * const found = await runOnPlatform(() => internalAdapter.findSession(token));
 * ```
 */
export function runOnPlatform<T>(work: () => Promise<T>): Promise<T> {
	return enter(new RequestState(null, findState(), { scope: PLATFORM }), work);
}
