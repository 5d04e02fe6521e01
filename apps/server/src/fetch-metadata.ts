import type { MiddlewareHandler } from "hono";

/**
 * Lets programs that use Node's `fetch` sign users up and in, as curl can.
 *
 * Better Auth takes any `sec-fetch-…` header for a sign of a browser and then demands an `Origin`.
 * Node sends `sec-fetch-mode` alone. A browser never does: it sends `sec-fetch-site` along with it,
 * and no page can take that away (https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header).
 */
export const fetchMetadata: MiddlewareHandler = async (c, next) => {
	const { headers } = c.req.raw;
	if (!headers.has("sec-fetch-site")) headers.delete("sec-fetch-mode");
	await next();
};
