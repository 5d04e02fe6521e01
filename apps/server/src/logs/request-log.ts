import { randomUUID } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { Log } from "./log";
import { type RequestRecord, runAsRequest } from "./request-record";
import type { RoutePattern } from "./route-pattern";

export type FinishedRequest = RequestRecord & {
	method: string;
	route: string;
	status: number;
	milliseconds: number;
};

const header = "x-request-id";
const saneId = /^[\w.-]{8,128}$/;
/** Asked every few seconds by whoever watches the server. */
const watched = new Set(["/healthz", "/readyz", "/metrics"]);

/**
 * One line for each request: which route, never the path itself, for paths and queries carry tokens.
 *
 * @param noted is told of each request that is over
 */
export function requestLog(
	log: Log,
	routeOf: RoutePattern,
	noted: (request: FinishedRequest) => void,
): MiddlewareHandler {
	return async (c, next) => {
		const startedAt = performance.now();
		const given = c.req.header(header);
		const record: RequestRecord = {
			requestId: given && saneId.test(given) ? given : randomUUID(),
			tenantId: null,
			signIn: null,
			signedUp: false,
		};
		await runAsRequest(record, next);
		c.res.headers.set(header, record.requestId);
		const finished: FinishedRequest = {
			...record,
			method: c.req.method,
			route: routeOf(c),
			status: c.res.status,
			milliseconds: Math.round((performance.now() - startedAt) * 10) / 10,
		};
		noted(finished);
		write(log, finished);
	};
}

function write(log: Log, request: FinishedRequest): void {
	const { requestId, tenantId, method, route, status, milliseconds } = request;
	const fields = { requestId, tenantId, method, route, status, milliseconds };
	if (status >= 500) log.error(fields, "request");
	else if (watched.has(route)) log.debug(fields, "request");
	else log.info(fields, "request");
}
