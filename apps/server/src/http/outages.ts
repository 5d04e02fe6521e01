import type { MiddlewareHandler } from "hono";
import { currentRequest } from "../monitoring/request-record";

/** A store that restarts is back in seconds. */
const RETRY_AFTER_SECONDS = 5;

const BODY = {
	code: "STORAGE_UNAVAILABLE",
	message: "The database or Redis does not respond. Try again in a moment.",
};

const INVALID_TEXT = {
	code: "VALIDATION_ERROR",
	message: "The request has a text with a NUL character",
};

/**
 * Returns 503 if a request failed because a store does not respond, whatever Better Auth has made of the
 * error. A client can then tell an outage from a bug, and from its own mistakes. A text that the database
 * cannot store is one of those: 400.
 */
export const reportOutages: MiddlewareHandler = async (c, next) => {
	await next();
	if (currentRequest()?.hasOutage && needsReplacement(c.req.method, c.res.status)) {
		const headers = new Headers(c.res.headers);
		// Nothing has happened, so a session that could not be ended keeps its cookie.
		for (const name of ["set-cookie", "content-length", "content-type"]) headers.delete(name);
		c.res = undefined;
		c.res = Response.json(BODY, { status: 503, headers });
	}
	if (currentRequest()?.hasInvalidText && c.res.status === 500) {
		c.res = undefined;
		c.res = Response.json(INVALID_TEXT, { status: 400, headers: { "cache-control": "no-store" } });
	}
	if (c.res.status !== 503 || c.res.headers.has("retry-after")) return;
	c.header("retry-after", String(RETRY_AFTER_SECONDS));
	c.header("cache-control", "no-store");
};

/**
 * Better Auth reports a sign-out even if the session could not be deleted. So a request that should have
 * changed something is treated as failed.
 */
function needsReplacement(method: string, status: number): boolean {
	if (status === 429 || status === 503) return false;
	return status >= 400 || !["GET", "HEAD"].includes(method);
}
