import type { GenericEndpointContext } from "@better-auth/core";
import { tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import { getOAuthState } from "better-auth/api";
import { findFlow } from "../social/flow";
import {
	type ACROSS,
	findRequestScope,
	PLATFORM,
	type RequestScope,
	scopeOfRow,
	type TenantScope,
} from "./scope";
import { findPresentedSessionTokens } from "./session-token";

type Settled = TenantScope | typeof ACROSS;

/**
 * The scope that a read or write of tenant data keeps to.
 *
 * It is settled once per request, as late as possible: by our own endpoints, by the tenant that the
 * request names (see `scope-hooks.ts`), by the OAuth state that a callback presents, or else by
 * the session that the request carries. With none of these it is the platform's.
 */
export async function currentScope(): Promise<Settled> {
	const request = await findRequestScope();
	if (!request) return PLATFORM;
	if (request.scope) return request.scope;
	if (request.awaitingOAuthState) return scopeOfOAuthState(request);
	// Two reads of one request may ask at once; both wait for the same answer.
	request.settling ??= settleBySession(request);
	return request.settling;
}

async function settleBySession(request: RequestScope): Promise<Settled> {
	const ctx = tryGetCurrentAuthEndpointContext() as GenericEndpointContext | undefined;
	const scope = ctx ? await findScopeOfSession(ctx) : null;
	// Reading the session settles the scope when it is the first to do so.
	request.scope ??= scope ?? PLATFORM;
	return request.scope;
}

async function findScopeOfSession(ctx: GenericEndpointContext): Promise<TenantScope | null> {
	const known = ctx.context.session?.session;
	if (known) return scopeOfRow(known);
	for (const token of findPresentedSessionTokens(ctx)) {
		const found = await ctx.context.internalAdapter.findSession(token);
		if (found && found.session.expiresAt > new Date()) return scopeOfRow(found.session);
	}
	return null;
}

/** Until core has parsed the state, a callback is in the platform's scope. */
async function scopeOfOAuthState(request: RequestScope): Promise<TenantScope> {
	const state = await getOAuthState();
	if (!state) return PLATFORM;
	const flow = findFlow(state);
	request.scope = flow ? scopeOfRow(flow) : PLATFORM;
	return request.scope;
}
