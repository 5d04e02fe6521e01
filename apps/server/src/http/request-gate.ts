import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Load, LoadShedder, Refusal, RequestSource } from "fair-load-shedder";
import type { Log } from "../monitoring/log";
import type { Metrics } from "../monitoring/metrics";
import { REQUEST_ID_HEADER, requestIdOf } from "../monitoring/request-log";
import type { ServiceConfig } from "../settings/service-config";
import type { TrustedProxies } from "../settings/settings";
import { clientIpFinder, countedAddress } from "./client-ip";
import { crossOriginHeaders } from "./origin-checks";
import { type BodyRefusal, bodyReader } from "./request-body";

/** Runs a request when it is its turn, or responds itself. */
export type RequestGate = (
	incoming: IncomingMessage,
	outgoing: ServerResponse,
	run: () => Promise<void>,
) => Promise<void>;

type GateParts = {
	shedder: LoadShedder;
	tenantHosts: ServiceConfig["tenantHosts"];
	trustedProxies: TrustedProxies;
	trustedOrigins: string[];
	metrics: Pick<Metrics, "countRefusal" | "watchLoad">;
	log: Pick<Log, "warn">;
};

/**
 * Refuses requests if there are too many, so that a flood of one tenant does not slow down the others.
 * It is before everything else: no `Request` exists yet, and nothing was logged. A request asks for a place
 * when its body is there.
 */
export function requestGate(parts: GateParts): RequestGate {
	const { shedder, metrics, log, trustedOrigins } = parts;
	const headersFor = crossOriginHeaders(trustedOrigins);
	const sourceOf = sourceFinder(parts);
	const readBody = bodyReader();
	const reportRefusal = refusalReport(log, () => shedder.load);
	metrics.watchLoad(() => shedder.load);

	return async (incoming, outgoing, run) => {
		const gone = new AbortController();
		const abort = () => gone.abort();
		outgoing.once("close", abort);
		const source = sourceOf(incoming);
		const body = await readBody(incoming, source.address);
		try {
			if (gone.signal.aborted) return;
			const admission: Admission = body.refusal
				? { refusal: BODY_REFUSALS[body.refusal] }
				: await shedder.admit({ ...source, signal: gone.signal });
			outgoing.off("close", abort);
			if (!admission.refusal) return await run().finally(admission.release);
			if (gone.signal.aborted) return;
			const headers = headersFor(incoming);
			// Otherwise the browser would not send the request, and the page could not read the refusal.
			if (incoming.method === "OPTIONS" && headers["access-control-allow-origin"]) {
				outgoing.writeHead(204, headers).end();
				return;
			}
			metrics.countRefusal(admission.refusal.status);
			reportRefusal();
			refuse(incoming, outgoing, admission.refusal, headers);
		} finally {
			body.release();
		}
	};
}

type GateRefusal = Omit<Refusal, "status" | "code"> & {
	status: Refusal["status"] | 408;
	code: string;
};

type Admission = { refusal: null; release: () => void } | { refusal: GateRefusal };

const BODY_REFUSALS: Record<BodyRefusal, GateRefusal> = {
	"too slow": {
		status: 408,
		code: "REQUEST_TIMEOUT",
		message: "The body of the request did not arrive in time",
		retryAfterSeconds: 1,
	},
	"no room": {
		status: 503,
		code: "SERVER_OVERLOADED",
		message: "The server is overloaded",
		retryAfterSeconds: 1,
	},
};

/** The path of a tenant's OpenID provider, its SCIM server, or its endpoints for SAML. */
const ISSUER_PATH = /^\/t\/([a-z\d-]{2,63})\/(?:oauth2|device\/code|jwks|\.well-known|scim|saml)\b/;

/**
 * The tenant is the one of the host, or else what the header says, or the path of one of its servers. None
 * is verified.
 */
function sourceFinder({ tenantHosts, trustedProxies }: GateParts) {
	const clientIpOf = clientIpFinder(trustedProxies);
	return ({ socket, headers, url = "" }: IncomingMessage): RequestSource => {
		const slug = tenantHosts?.slugOf(headers.host ?? "") ?? ISSUER_PATH.exec(url)?.[1] ?? null;
		const named = headers["x-tenant-id"];
		const address = clientIpOf(socket.remoteAddress, headers["x-forwarded-for"]);
		return {
			tenant: slug !== null ? `host ${slug}` : typeof named === "string" && named ? named : null,
			address: address === undefined ? null : countedAddress(address),
		};
	};
}

function refuse(
	incoming: IncomingMessage,
	outgoing: ServerResponse,
	refusal: GateRefusal,
	crossOrigin: OutgoingHttpHeaders,
): void {
	const { status, code, message, retryAfterSeconds } = refusal;
	const { headers } = incoming;
	// Otherwise the rest of the body would be read, and thrown away.
	if (!incoming.complete) outgoing.shouldKeepAlive = false;
	const body = JSON.stringify({ code, message });
	outgoing.writeHead(status, {
		...crossOrigin,
		"content-type": "application/json",
		"content-length": body.length,
		"retry-after": String(retryAfterSeconds),
		"cache-control": "no-store",
		[REQUEST_ID_HEADER]: requestIdOf(headers[REQUEST_ID_HEADER]),
	});
	outgoing.end(body);
}

const REPORT_EVERY_MS = 10_000;

/** Logs a flood, but not each of its requests: that would cost more than to refuse them. */
function refusalReport(log: Pick<Log, "warn">, load: () => Load): () => void {
	let refused = 0;
	let reportedAt = Number.NEGATIVE_INFINITY;
	return () => {
		refused += 1;
		if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
		reportedAt = performance.now();
		log.warn({ refused, ...load() }, "requests are refused");
		refused = 0;
	};
}
