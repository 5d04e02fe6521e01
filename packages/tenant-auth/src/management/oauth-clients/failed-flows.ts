import type { GenericEndpointContext } from "@better-auth/core";
import { appendQueryParams } from "@better-auth/core/utils/url";
import { getOAuthState, isAPIError } from "better-auth/api";
import { findState } from "../../call/context/current-state";
import { findProviderProblem } from "../../call/context/provider-problem";
import { ALL_TENANTS, tenantIdIn } from "../../call/context/tenant";
import { errorIn } from "../events/sign-in-outcome";
import { noteFailure } from "./store";

/**
 * Errors that a wrong config causes. Not those that a browser can cause without the provider, such as a
 * wrong state, and not decisions of a user.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1
 */
const FAILURES = new Set([
	"invalid_request",
	"unauthorized_client",
	"invalid_client",
	"unsupported_response_type",
	"invalid_scope",
	"redirect_uri_mismatch",
	"server_error",
	"temporarily_unavailable",
	"invalid_code",
	"issuer_mismatch",
	"unable_to_get_user_info",
	"email_not_found",
	"oauth_credential_decrypt_failed",
	"internal_server_error",
	"provider_unavailable",
]);

/** Stores why a sign-in with the tenant's client failed, for management. */
export async function noteFailedFlow(
	ctx: GenericEndpointContext,
	providerId: string,
	error: unknown,
): Promise<void> {
	const code = isAPIError(error) ? errorIn(error.headers) : "internal_server_error";
	if (!code || !FAILURES.has(code)) return;
	const tenantId = tenantIdIn(findState()?.scope ?? ALL_TENANTS);
	if (tenantId === null) return;
	const reason = findProviderProblem(code) ?? code;
	await noteFailure(ctx.context, tenantId, providerId, reason).catch((cause: unknown) =>
		ctx.context.logger.error("The failure of a sign-in could not be stored", cause),
	);
}

/** Redirects the user to the flow's error URL, with the parameters that core uses. */
export async function failFlow(
	ctx: GenericEndpointContext,
	code = "internal_server_error",
	description = "",
): Promise<never> {
	const errorURL =
		(await getOAuthState())?.errorURL ??
		ctx.context.options.onAPIError?.errorURL ??
		`${ctx.context.baseURL}/error`;
	const problem = new URLSearchParams({
		error: code,
		...(description ? { error_description: description } : {}),
	});
	throw ctx.redirect(appendQueryParams(errorURL, problem));
}
