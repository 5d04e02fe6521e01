import type { GenericEndpointContext } from "@better-auth/core";
import { tenantError } from "../tenant-error";
import { rulesOf, VERIFICATIONS } from "./endpoint-rules";
import type { RequestState } from "./request-state";

/**
 * Puts a call with a message of an identity provider into the tenant of the flow that the message continues,
 * and says whether there is one. It verifies nothing: the endpoint does, in that tenant.
 */
export async function enterTenantOfMessage(
	ctx: GenericEndpointContext,
	state: RequestState,
): Promise<boolean> {
	const { messages } = rulesOf(ctx.path);
	if (!messages || state.resolution.kind !== "pending") return false;
	for (const identifier of await messages.identifiersOf(ctx)) {
		// PostgreSQL fails on a NUL in a parameter, and no flow has one.
		if (identifier.includes("\0")) continue;
		state.awaitToken("row", VERIFICATIONS);
		await ctx.context.internalAdapter.findVerificationValue(identifier);
		if (state.scope) return true;
	}
	state.reset();
	// A state in a cookie does not contain the tenant. Only the request's id tells it, and the app may have
	// disabled these ids. Then the flow of a tenant must not end on the platform.
	const isInCookie = ctx.context.oauthConfig.storeStateStrategy === "cookie";
	if (isInCookie && messages.findState(ctx)) throw tenantError("TENANT_NOT_FOUND");
	return false;
}

/** Whether the request has the answer of an identity provider, and not its own request. */
export const hasAnswer = (ctx: GenericEndpointContext): boolean =>
	rulesOf(ctx.path).messages?.isAnswer(ctx) === true;
