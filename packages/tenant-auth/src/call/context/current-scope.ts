import type { GenericEndpointContext } from "@better-auth/core";
import { getOAuthState } from "better-auth/api";
import { findEndpoint, findState } from "./current-state";
import { enterTenantOfSession, enterTenantOfToken } from "./gate";
import { findFlow } from "./oauth-flow";
import { findLiveSession, findPresentedSessionTokens } from "./presented-sessions";
import type { RequestState, TenantInstance } from "./request-state";
import { PLATFORM, PLATFORM_ID, type Scope, tenantIdOf } from "./tenant";

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
