import type { GenericEndpointContext } from "@better-auth/core";
import { tenantError } from "../../tenant-error";
import { rulesOf, VERIFICATIONS } from "./endpoint-rules";
import { headersOf } from "./presented-sessions";
import type { RequestState } from "./request-state";

// Protocols such as SAML and OAuth have no place for a tenant, but a call names a row of one. The adapter
// finds it in all tenants, and enters its tenant. Nothing is verified here: the endpoint does, in that tenant.

/**
 * Puts a call with a message of an identity provider into the tenant of the flow that the message continues,
 * and says whether there is one.
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
	// A state in a cookie does not contain the tenant. Only the request's id says it, and the app may have
	// disabled these ids. Then the flow of a tenant must not end on the platform.
	const isInCookie = ctx.context.oauthConfig.storeStateStrategy === "cookie";
	if (isInCookie && messages.findState(ctx)) throw tenantError("TENANT_NOT_FOUND");
	return false;
}

/**
 * Puts a call into the tenant of the row that it names by a public id, such as that of an OAuth client. The
 * id is unique across all tenants, and as public as a tenant's id. Without such a row, another one of the
 * rules may still decide.
 */
export async function enterTenantOfPublicId(
	ctx: GenericEndpointContext,
	state: RequestState,
): Promise<void> {
	const { publicId, rows } = rulesOf(ctx.path);
	const value = publicId?.find({ headers: headersOf(ctx), query: ctx.query, body: ctx.body });
	if (publicId && value) {
		const { table: model, field } = publicId;
		state.awaitToken("row", { [model]: [field] });
		await ctx.context.adapter.findOne({ model, where: [{ field, value }], select: ["id"] });
		if (state.scope) return;
		state.reset();
	}
	if (rows) state.awaitToken("row", rows);
}
