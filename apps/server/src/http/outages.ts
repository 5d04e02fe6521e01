import type { MiddlewareHandler } from "hono";
import { currentRequest } from "../monitoring/request-record";

/** A store that restarts is back in seconds. */
const RETRY_AFTER_SECONDS = 5;

const BODY = {
	code: "STORAGE_UNAVAILABLE",
	message: "The database or Redis does not answer. Try again in a moment.",
};

/**
 * Answers 503 if a request failed because a store does not answer, whatever Better Auth has made of the
 * error. A client can then tell an outage from a bug, and from its own mistakes.
 */
export const answerOutages: MiddlewareHandler = async (c, next) => {
	await next();
	const outage = currentRequest()?.outage;
	const { status } = c.res;
	if (outage === "incomplete" ? status !== 503 : outage && isFailure(status)) {
		const headers = new Headers(c.res.headers);
		// Nothing has happened, so a session that could not be ended keeps its cookie.
		for (const name of ["set-cookie", "content-length", "content-type"]) headers.delete(name);
		c.res = undefined;
		c.res = Response.json(BODY, { status: 503, headers });
	}
	if (c.res.status !== 503 || c.res.headers.has("retry-after")) return;
	c.res.headers.set("retry-after", String(RETRY_AFTER_SECONDS));
	c.res.headers.set("cache-control", "no-store");
};

const isFailure = (status: number) => status >= 400 && status !== 429 && status !== 503;
