import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { getSessionFromCtx } from "better-auth/api";
import { findState } from "../../call/context/current-state";
import { enterTenantIfNamed } from "../../call/context/gate";
import type { ResolvedOptions } from "../../options";
import { tenantError } from "../../tenant-error";
import { type DocumentedError, UNAUTHORIZED } from "./openapi";

/** What {@link requireSignedIn} throws. */
export const SIGNED_IN_ERRORS = [
	"UNAUTHORIZED",
	"SECOND_FACTOR_REQUIRED",
	"TENANT_NOT_FOUND",
	"TENANT_SUSPENDED",
] as const satisfies readonly DocumentedError[];

/**
 * The session of the caller. A session of another tenant than the named one is not valid, so its tenant
 * stays hidden.
 */
export async function requireSignedIn(ctx: GenericEndpointContext, options: ResolvedOptions) {
	await enterTenantIfNamed(ctx, options);
	const found = await getSessionFromCtx(ctx);
	if (found) return found;
	// So a page knows that it must offer to set one up.
	if (findState()?.lacksSecondFactor) throw tenantError("SECOND_FACTOR_REQUIRED");
	throw APIError.from("UNAUTHORIZED", UNAUTHORIZED);
}
