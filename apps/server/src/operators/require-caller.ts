import type { GenericEndpointContext } from "@better-auth/core";
import type { Actor } from "better-auth-tenant";
import { type Access, allows } from "./access";
import { operatorError } from "./errors";
import type { Action } from "./permissions";

/** A caller who may do at least something. */
export async function requireCaller(ctx: GenericEndpointContext, access: Access) {
	const identity = await access.find(ctx);
	if (!identity) throw access.rejection(ctx);
	if (identity.status === "second-factor-required") throw operatorError("SECOND_FACTOR_REQUIRED");
	if (identity.status !== "allowed") throw operatorError("TENANT_MANAGEMENT_NOT_ALLOWED");
	return identity;
}

/** A caller who may do something that concerns no tenant. Server code such as the CLI may do everything. */
export async function requireActor(
	ctx: GenericEndpointContext,
	access: Access,
	action: Action,
): Promise<Actor> {
	if (!ctx.request && !ctx.headers) return { kind: "server", id: null };
	const { caller } = await requireCaller(ctx, access);
	if (!allows(caller, action, null)) throw operatorError("TENANT_MANAGEMENT_NOT_ALLOWED");
	return caller.actor;
}
