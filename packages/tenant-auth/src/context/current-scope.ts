import type { GenericEndpointContext } from "@better-auth/core";
import { tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import { getOAuthState } from "better-auth/api";
import { findFlow } from "./oauth-flow";
import { findLiveSession, findPresentedSessionTokens } from "./presented-sessions";
import {
	type AnyScope,
	findRequestScope,
	PLATFORM,
	type RequestScope,
	scopeOfRow,
	settle,
} from "./scope";

/**
 * The scope that a read or write of tenant data keeps to.
 *
 * It is settled once per request, as late as possible: by our own endpoints, by the tenant that the
 * request names (see `scope-hooks.ts`), by a token that it presents, or else by the session that it
 * carries. With none of these it is the platform's.
 */
export function currentScope(): AnyScope | Promise<AnyScope> {
	const request = findRequestScope();
	if (!request) return PLATFORM;
	if (request.scope) return request.scope;
	if (request.awaits === "oauth-state") return scopeOfOAuthState(request);
	// Whoever asks before the token is looked up, or after it was not found, is told of no tenant.
	if (request.awaits === "token") return PLATFORM;
	// Two reads of one request may ask at once; both wait for the same answer.
	request.settling ??= request.claim ? settleByClaim(request) : settleBySession(request);
	return request.settling;
}

async function settleByClaim(request: RequestScope): Promise<AnyScope> {
	await request.claim?.check();
	return request.scope ?? PLATFORM;
}

async function settleBySession(request: RequestScope): Promise<AnyScope> {
	const ctx = tryGetCurrentAuthEndpointContext() as GenericEndpointContext | undefined;
	if (ctx) await readSession(ctx, request);
	if (!request.scope) settle(request, PLATFORM);
	return request.scope ?? PLATFORM;
}

/** Reading a session that the request carries settles the scope. */
async function readSession(ctx: GenericEndpointContext, request: RequestScope): Promise<void> {
	const known = ctx.context.session?.session;
	if (known) return settle(request, scopeOfRow(known));
	for (const token of findPresentedSessionTokens(ctx)) {
		if (!request.scope) await findLiveSession(ctx, token);
	}
}

/**
 * A state that is kept in the database or in the secondary storage has settled the scope when it was
 * read. One that is kept in a cookie does so once core has opened it.
 */
async function scopeOfOAuthState(request: RequestScope): Promise<AnyScope> {
	const state = await getOAuthState();
	if (!state) return PLATFORM;
	const flow = findFlow(state);
	settle(request, flow ? scopeOfRow(flow) : PLATFORM);
	return request.scope ?? PLATFORM;
}
