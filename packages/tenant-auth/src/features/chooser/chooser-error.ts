import type { GenericEndpointContext } from "@better-auth/core";
import { appendQueryParams } from "@better-auth/core/utils/url";
import { errorsOf } from "../../tenant-error";
import { CHOOSER_ERRORS } from "./error-codes";

export const chooserError = errorsOf(CHOOSER_ERRORS);

/**
 * Redirects the user to the error page of the flow, or to that of the app if the flow is not known. The code
 * says nothing about tenants.
 */
export function failChooser(
	ctx: GenericEndpointContext,
	code: string,
	{ errorCallbackURL }: { errorCallbackURL?: string | undefined } = {},
): never {
	const { options, baseURL } = ctx.context;
	const errorURL = errorCallbackURL ?? options.onAPIError?.errorURL ?? `${baseURL}/error`;
	throw ctx.redirect(appendQueryParams(errorURL, new URLSearchParams({ error: code })));
}
