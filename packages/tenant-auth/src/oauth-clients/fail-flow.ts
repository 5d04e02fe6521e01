import type { GenericEndpointContext } from "@better-auth/core";
import { appendQueryParams } from "@better-auth/core/utils/url";
import { getOAuthState } from "better-auth/api";

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
