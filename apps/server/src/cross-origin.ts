import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";

/**
 * Lets pages of the trusted origins read answers (https://fetch.spec.whatwg.org/#http-cors-protocol),
 * with their cookies. Whether they may act is asked by Better Auth, of every request.
 */
export function crossOrigin(trustedOrigins: string[]): MiddlewareHandler {
	const isTrusted = originTest(trustedOrigins);
	return cors({
		origin: (origin) => (isTrusted(origin) ? origin : null),
		credentials: true,
		allowMethods: ["GET", "POST"],
		exposeHeaders: ["x-total-count", "x-request-id", "retry-after", "x-retry-after"],
		maxAge: 600,
	});
}

/** `https://*.example.com` is every host below, at any depth, and not the domain itself. */
function originTest(trustedOrigins: string[]): (origin: string) => boolean {
	const exact = new Set(trustedOrigins.filter((trusted) => !trusted.includes("*")));
	const below = trustedOrigins.flatMap((trusted) => {
		const [scheme, domain] = trusted.split("*");
		return scheme && domain ? [{ scheme, domain }] : [];
	});
	return (origin) =>
		exact.has(origin) ||
		below.some(({ scheme, domain }) => origin.startsWith(scheme) && origin.endsWith(domain));
}
