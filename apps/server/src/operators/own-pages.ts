import type { GenericEndpointContext } from "@better-auth/core";

/**
 * Whether a page of the service itself may have sent a request, and not a page of another origin. Browsers
 * send an operator's cookies with requests of every page of the same site, such as an app at
 * `app.example.com`. `TRUSTED_ORIGINS` are apps for users: they may not act as an operator.
 *
 * A program sends none of these headers, and no page can change or remove them
 * (https://fetch.spec.whatwg.org/#forbidden-request-header).
 */
export function isOfOwnPage(
	{ request, headers: given }: Pick<GenericEndpointContext, "request" | "headers">,
	ownOrigins: readonly string[],
): boolean {
	const headers = request?.headers ?? given;
	const origin = headers?.get("origin");
	if (origin) return ownOrigins.includes(origin);
	const site = headers?.get("sec-fetch-site");
	if (site) return site === "same-origin" || site === "none";
	const referer = headers?.get("referer");
	if (!referer) return true;
	return URL.canParse(referer) && ownOrigins.includes(new URL(referer).origin);
}
