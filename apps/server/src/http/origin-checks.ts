import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { basePath } from "../auth";
import type { ServiceConfig } from "../settings/service-config";

/**
 * Rejects a request whose request line and `Host` header name different hosts, as in
 * `POST http://auth.example.com/… HTTP/1.1` with `Host: evil.example.com`. We find the tenant by the
 * request line, and Better Auth builds the links of emails with the header. If they were different, a
 * caller could choose where a token is sent (https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2).
 */
export const checkHostHeader: MiddlewareHandler = async (c, next) => {
	const url = URL.canParse(c.req.url) ? new URL(c.req.url) : null;
	// Such as `xn--acme`, which is no valid Punycode. And a `Request` cannot have a URL with a user.
	if (!url || url.username || url.password) {
		return c.json({ code: "INVALID_HOST", message: "The request names no valid host" }, 400);
	}
	const host = c.req.header("host");
	const { protocol, origin } = url;
	// Compares the whole URL: a user, path or query in the header is not part of a host.
	if (host !== undefined && hrefOf(`${protocol}//${host}`) !== `${origin}/`) {
		const message = "The Host header and the request line name different hosts";
		return c.json({ code: "HOST_MISMATCH", message }, 400);
	}
	await next();
};

const hrefOf = (url: string) => (URL.canParse(url) ? new URL(url).href : null);

/**
 * Removes the default port from the `Host` header: `acme.example.com:443` is `acme.example.com`. Better
 * Auth compares the header as it is, and would not find the tenant.
 */
export function normalizeHostHeader(tenantHosts: ServiceConfig["tenantHosts"]): MiddlewareHandler {
	return async (c, next) => {
		const { headers } = c.req.raw;
		const host = headers.get("host");
		const normal = host && tenantHosts?.normalize(host);
		if (normal && normal !== host) headers.set("host", normal);
		await next();
	};
}

/**
 * Lets programs with Node's `fetch` sign up and sign in, as with curl.
 *
 * Better Auth takes any `sec-fetch-…` header as a sign of a browser, and then requires an `Origin`.
 * Node sends only `sec-fetch-mode`. A browser always sends `sec-fetch-site` too, and no page can remove
 * it (https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header).
 */
export const allowProgramsWithFetch: MiddlewareHandler = async (c, next) => {
	const { headers } = c.req.raw;
	if (!headers.has("sec-fetch-site")) headers.delete("sec-fetch-mode");
	await next();
};

const ALLOWED_METHODS = ["GET", "POST"];
const EXPOSED_HEADERS = [
	"x-total-count",
	"x-next-cursor",
	"x-search-limited",
	"x-request-id",
	"retry-after",
	"x-retry-after",
];
const MAX_AGE_SECONDS = 600;

/**
 * Lets pages of trusted origins read responses and send cookies
 * (https://fetch.spec.whatwg.org/#http-cors-protocol). Better Auth checks whether they may change
 * something.
 */
export function allowCrossOrigin(trustedOrigins: string[]): MiddlewareHandler {
	const isTrusted = originTest(trustedOrigins);
	const allow = cors({
		origin: (origin) => (isTrusted(origin) ? origin : null),
		credentials: true,
		allowMethods: ALLOWED_METHODS,
		exposeHeaders: EXPOSED_HEADERS,
		maxAge: MAX_AGE_SECONDS,
	});
	return (c, next) => (isOfOperators(c.req.path) ? next() : allow(c, next));
}

/** Only pages of the service itself may read what operators see. */
const isOfOperators = (path: string) => path.startsWith(`${basePath}/operator/`);

/** The headers that {@link allowCrossOrigin} sets, for a response that does not come from Hono. */
export function crossOriginHeaders(
	trustedOrigins: string[],
): (incoming: IncomingMessage) => OutgoingHttpHeaders {
	const isTrusted = originTest(trustedOrigins);
	return ({ url, method, headers }) => {
		if (trustedOrigins.length === 0 || !url?.startsWith(`${basePath}/`)) return {};
		if (isOfOperators(url)) return {};
		const { origin = "", "access-control-request-headers": requested } = headers;
		const isPreflight = method === "OPTIONS";
		return {
			...(isTrusted(origin) ? { "access-control-allow-origin": origin } : {}),
			"access-control-allow-credentials": "true",
			"access-control-expose-headers": EXPOSED_HEADERS.join(),
			...(isPreflight ? { "access-control-allow-methods": ALLOWED_METHODS.join() } : {}),
			...(isPreflight ? { "access-control-max-age": MAX_AGE_SECONDS } : {}),
			...(isPreflight && requested ? { "access-control-allow-headers": requested } : {}),
			vary: isPreflight && requested ? "Origin, Access-Control-Request-Headers" : "Origin",
		};
	};
}

/** `https://*.example.com` matches every host below the domain, but not the domain itself. */
function originTest(trustedOrigins: string[]): (origin: string) => boolean {
	const exact = new Set(trustedOrigins.filter((trusted) => !trusted.includes("*")));
	const wildcards = trustedOrigins.flatMap((trusted) => {
		const [scheme, domain] = trusted.split("*");
		return scheme && domain ? [{ scheme, domain }] : [];
	});
	return (origin) =>
		exact.has(origin) ||
		wildcards.some(({ scheme, domain }) => origin.startsWith(scheme) && origin.endsWith(domain));
}
