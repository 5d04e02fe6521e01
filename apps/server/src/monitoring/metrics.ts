import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { FinishedRequest } from "./request-log";

/** `retried` is a failed attempt that will be repeated. */
export type EmailOutcome = "sent" | "retried" | "failed";

export type Metrics = {
	countRequest: (request: FinishedRequest) => void;
	countEmail: (outcome: EmailOutcome) => void;
	/** In the text format of Prometheus. */
	text: () => Promise<string>;
	contentType: string;
};

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Metrics for Prometheus. Labels have a fixed set of values: they contain known routes, but never a
 * path or a tenant, because clients could create any number of these.
 */
export function createMetrics(): Metrics {
	const registry = new Registry();
	collectDefaultMetrics({ register: registry });
	const requests = new Counter({
		name: "http_requests_total",
		help: "Number of HTTP requests",
		labelNames: ["method", "route", "status"],
		registers: [registry],
	});
	const durations = new Histogram({
		name: "http_request_duration_seconds",
		help: "Duration of HTTP requests in seconds",
		labelNames: ["method", "route"],
		buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
		registers: [registry],
	});
	const signIns = new Counter({
		name: "auth_sign_ins_total",
		help: "Number of sign-ins by outcome",
		labelNames: ["outcome"],
		registers: [registry],
	});
	const emails = new Counter({
		name: "auth_mails_total",
		help: "Number of emails by outcome",
		labelNames: ["outcome"],
		registers: [registry],
	});
	for (const outcome of ["ok", "failed"]) signIns.inc({ outcome }, 0);
	for (const outcome of ["sent", "retried", "failed"]) emails.inc({ outcome }, 0);
	return {
		countRequest: ({ route, status, milliseconds, signIn, ...request }) => {
			const method = methods.has(request.method) ? request.method : "other";
			requests.inc({ method, route, status: `${Math.floor(status / 100)}xx` });
			durations.observe({ method, route }, milliseconds / 1000);
			if (signIn) signIns.inc({ outcome: signIn });
		},
		countEmail: (outcome) => emails.inc({ outcome }),
		text: () => registry.metrics(),
		contentType: registry.contentType,
	};
}
