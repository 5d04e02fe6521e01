import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { FinishedRequest } from "../logs/request-log";

export type Metrics = {
	note: (request: FinishedRequest) => void;
	/** `retried` is an attempt that failed and is made again. */
	noteMail: (outcome: "sent" | "retried" | "failed") => void;
	/** As Prometheus reads it. */
	text: () => Promise<string>;
	contentType: string;
};

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Numbers for Prometheus. Their labels are of few values: the routes that there are, never a path or
 * a tenant, of which callers could make any number.
 */
export function createMetrics(): Metrics {
	const registry = new Registry();
	collectDefaultMetrics({ register: registry });
	const requests = new Counter({
		name: "http_requests_total",
		help: "Requests that were answered",
		labelNames: ["method", "route", "status"],
		registers: [registry],
	});
	const durations = new Histogram({
		name: "http_request_duration_seconds",
		help: "How long answers took",
		labelNames: ["method", "route"],
		buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
		registers: [registry],
	});
	const signIns = new Counter({
		name: "auth_sign_ins_total",
		help: "Sign-ins, by what became of them",
		labelNames: ["outcome"],
		registers: [registry],
	});
	const mails = new Counter({
		name: "auth_mails_total",
		help: "Mails, by what became of them",
		labelNames: ["outcome"],
		registers: [registry],
	});
	for (const outcome of ["ok", "failed"]) signIns.inc({ outcome }, 0);
	for (const outcome of ["sent", "retried", "failed"]) mails.inc({ outcome }, 0);
	return {
		note: ({ route, status, milliseconds, signIn, ...request }) => {
			const method = methods.has(request.method) ? request.method : "other";
			requests.inc({ method, route, status: `${Math.floor(status / 100)}xx` });
			durations.observe({ method, route }, milliseconds / 1000);
			if (signIn) signIns.inc({ outcome: signIn });
		},
		noteMail: (outcome) => mails.inc({ outcome }),
		text: () => registry.metrics(),
		contentType: registry.contentType,
	};
}
