import { randomUUID } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { Log } from "./log";
import { newRecord, type RequestRecord, runWithRecord } from "./request-record";

export type FinishedRequest = RequestRecord & {
	method: string;
	route: string;
	status: number;
	milliseconds: number;
};

/** The status that nginx has for it. Nobody receives it. */
const CLIENT_CLOSED_REQUEST = 499;

export const REQUEST_ID_HEADER = "x-request-id";
const acceptedId = /^[\w.-]{8,128}$/;

/** The id that the client gave its request, or a new one. */
export function requestIdOf(given: string | string[] | undefined): string {
	return typeof given === "string" && acceptedId.test(given) ? given : randomUUID();
}

/** Monitoring calls these routes every few seconds. */
const monitoringRoutes = new Set(["/healthz", "/readyz", "/metrics"]);

/**
 * Logs one line for each request. It contains the route, never the path or the query: these may
 * contain tokens.
 *
 * @param onFinished called for each finished request
 * @param storeTimeMs how long each may wait for its stores
 */
export function requestLog(
	log: Log,
	routeOf: RoutePattern,
	onFinished: (request: FinishedRequest) => void,
	storeTimeMs?: number,
): MiddlewareHandler {
	return async (c, next) => {
		const startedAt = performance.now();
		const requestId = requestIdOf(c.req.header(REQUEST_ID_HEADER));
		const record = newRecord(requestId, c.req.raw, storeTimeMs);
		await runWithRecord(record, next);
		record.storeTime.renewForEachWait();
		c.res.headers.set(REQUEST_ID_HEADER, record.requestId);
		const finished: FinishedRequest = {
			...record,
			method: c.req.method,
			route: routeOf(c),
			status: record.signal.aborted ? CLIENT_CLOSED_REQUEST : c.res.status,
			milliseconds: Math.round((performance.now() - startedAt) * 10) / 10,
		};
		onFinished(finished);
		write(log, finished);
	};
}

function write(log: Log, request: FinishedRequest): void {
	const { requestId, tenantId, method, route, status, milliseconds } = request;
	const fields = { requestId, tenantId, method, route, status, milliseconds };
	if (status >= 500) log.error(fields, "request");
	else if (monitoringRoutes.has(route)) log.debug(fields, "request");
	else log.info(fields, "request");
}

/** Returns the pattern of the route that handled a request. The number of patterns is limited. */
export type RoutePattern = (c: Context) => string;

const UNMATCHED = "unmatched";

/** @param endpoints paths of Better Auth's endpoints, below `basePath` */
export function routePatterns(basePath: string, endpoints: Iterable<string>): RoutePattern {
	const fixed = new Set<string>();
	const withParameters: { pattern: string; matches: RegExp }[] = [];
	for (const path of endpoints) {
		const pattern = `${basePath}${path}`;
		if (path.includes(":")) withParameters.push({ pattern, matches: toRegExp(pattern) });
		else fixed.add(pattern);
	}
	return (c) => {
		const { path } = c.req;
		if (path.startsWith(`${basePath}/`)) {
			if (fixed.has(path)) return path;
			return withParameters.find(({ matches }) => matches.test(path))?.pattern ?? `${basePath}/*`;
		}
		// Middleware matches every path. If nothing else matched, no handler ran.
		const pattern = routePath(c);
		return pattern === "/*" ? UNMATCHED : pattern;
	};
}

function toRegExp(pattern: string): RegExp {
	const parts = pattern.split("/").map((part) => (part.startsWith(":") ? "[^/]+" : part));
	return new RegExp(`^${parts.join("/")}$`);
}
