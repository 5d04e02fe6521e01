import { setTimeout as sleep } from "node:timers/promises";
import type { DeliverWebhooksReport } from "better-auth-tenant/webhooks";
import type { Load } from "fair-load-shedder";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { FinishedRequest } from "./request-log";

/** `retried` is a failed attempt that will be repeated. */
export type EmailOutcome = "sent" | "retried" | "failed";

export type Metrics = {
	countRequest: (request: FinishedRequest) => void;
	countEmail: (outcome: EmailOutcome) => void;
	/** How many emails of this server could not be sent. */
	failedEmails: () => Promise<number>;
	/** A request that was refused before it was looked at. It is none of the others. */
	countRefusal: (status: 408 | 429 | 503) => void;
	countJob: (job: JobName, outcome: "ok" | "failed", seconds: number) => void;
	countDeliveries: (report: DeliverWebhooksReport) => void;
	/** Events that a log collector has taken, or does not want. */
	countStreamed: (report: { sent: number; rejected: number }) => void;
	/** Reports for how long the oldest event has waited for the log collector. */
	watchStream: (findLag: () => Promise<number>) => void;
	/** Reports how many tenants with SAML are in which state. */
	watchCertificates: (count: () => Promise<Record<CertificateState, number>>) => void;
	/** Reports for each store whether it is `ok`. */
	watchStores: (check: () => Promise<Record<string, string>>) => void;
	/** Reports for each store how many seconds its clock is ahead of ours. */
	watchClocks: (check: () => Promise<Record<string, number>>) => void;
	/** Reports how many requests run and wait. */
	watchLoad: (load: () => Load) => void;
	/** In the text format of Prometheus. */
	text: () => Promise<string>;
	contentType: string;
};

/** Prometheus waits ten seconds for all metrics together. */
const STORE_TIMEOUT_MS = 3000;

/** The jobs of the server. */
const JOBS = [
	"clean-up",
	"domain-check",
	"saml-metadata",
	"webhooks",
	"logout-tokens",
	"event-stream",
] as const;

export type JobName = (typeof JOBS)[number];

const CERTIFICATE_STATES = ["ok", "expiring", "expired", "unreadable"] as const;

/** Of a tenant with SAML. */
export type CertificateState = (typeof CERTIFICATE_STATES)[number];

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Metrics for Prometheus. Labels have a fixed set of values: they contain known routes, but never a
 * path or a tenant, because clients could create any number of these.
 */
export function createMetrics({ hasEmail = true } = {}): Metrics {
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
	const refusals = new Counter({
		name: "http_requests_refused_total",
		help: "Number of HTTP requests that were refused because there were too many",
		labelNames: ["status"],
		registers: [registry],
	});
	new Gauge({
		name: "auth_mail_configured",
		help: "Whether emails can be sent: 0 if SMTP_URL is not set",
		registers: [registry],
	}).set(hasEmail ? 1 : 0);
	const jobs = new Counter({
		name: "auth_jobs_total",
		help: "Number of job runs by outcome",
		// Not "job": Prometheus has a label of this name for what it scrapes.
		labelNames: ["name", "outcome"],
		registers: [registry],
	});
	const jobSeconds = new Gauge({
		name: "auth_job_duration_seconds",
		help: "Duration of the last run of a job in seconds",
		labelNames: ["name"],
		registers: [registry],
	});
	const jobSuccess = new Gauge({
		name: "auth_job_last_success_timestamp_seconds",
		help: "When a job last succeeded on this server",
		labelNames: ["name"],
		registers: [registry],
	});
	const deliveries = new Counter({
		name: "auth_webhook_deliveries_total",
		help: "Number of attempts to deliver an event to a webhook by outcome",
		labelNames: ["outcome"],
		registers: [registry],
	});
	const streamed = new Counter({
		name: "auth_event_stream_events_total",
		help: "Number of events for the log collector by outcome",
		labelNames: ["outcome"],
		registers: [registry],
	});
	let findStreamLag = async () => 0;
	new Gauge({
		name: "auth_event_stream_lag_seconds",
		help: "For how long the oldest event has waited for the log collector; 0 if none waits",
		registers: [registry],
		async collect() {
			const lag = await inTime(findStreamLag());
			if (lag === null) this.remove();
			else this.set(lag);
		},
	});
	let countCertificates = async () => ({ ok: 0, expiring: 0, expired: 0, unreadable: 0 });
	new Gauge({
		name: "auth_saml_tenants",
		help: "Number of tenants with SAML by the state of their certificate; expiring: within 30 days",
		labelNames: ["state"],
		registers: [registry],
		async collect() {
			const counts = await inTime(countCertificates());
			if (counts === null) return this.reset();
			for (const state of CERTIFICATE_STATES) this.set({ state }, counts[state]);
		},
	});
	// An alert sees the first failure only if the counter was there before.
	for (const name of JOBS) for (const outcome of ["ok", "failed"]) jobs.inc({ name, outcome }, 0);
	for (const outcome of ["delivered", "failed"]) deliveries.inc({ outcome }, 0);
	for (const outcome of ["sent", "rejected"]) streamed.inc({ outcome }, 0);
	for (const status of ["429", "503"]) refusals.inc({ status }, 0);
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
		failedEmails: async () => {
			const { values } = await emails.get();
			return values.find(({ labels }) => labels.outcome === "failed")?.value ?? 0;
		},
		countRefusal: (status) => refusals.inc({ status: String(status) }),
		countJob: (name, outcome, seconds) => {
			jobs.inc({ name, outcome });
			jobSeconds.set({ name }, seconds);
			if (outcome === "ok") jobSuccess.set({ name }, Date.now() / 1000);
		},
		countDeliveries: ({ delivered, failed }) => {
			deliveries.inc({ outcome: "delivered" }, delivered);
			deliveries.inc({ outcome: "failed" }, failed);
		},
		countStreamed: ({ sent, rejected }) => {
			streamed.inc({ outcome: "sent" }, sent);
			streamed.inc({ outcome: "rejected" }, rejected);
		},
		watchStream: (findLag) => {
			findStreamLag = findLag;
		},
		watchCertificates: (count) => {
			countCertificates = count;
		},
		watchStores: (check) => {
			new Gauge({
				name: "auth_store_up",
				help: "Whether a store responds and writes: 0 if it does not",
				labelNames: ["store"],
				registers: [registry],
				async collect() {
					for (const [store, result] of Object.entries(await check())) {
						this.set({ store }, result === "ok" ? 1 : 0);
					}
				},
			});
		},
		watchClocks: (check) => {
			new Gauge({
				name: "auth_clock_offset_seconds",
				help: "How far the clock of a store is ahead of the clock of this server, at least",
				labelNames: ["store"],
				registers: [registry],
				async collect() {
					// One that does not respond has none.
					this.reset();
					for (const [store, seconds] of Object.entries(await check())) {
						this.set({ store }, seconds);
					}
				},
			});
		},
		watchLoad: (load) => {
			new Gauge({
				name: "http_requests_in_progress",
				help: "Number of HTTP requests by state, and how many may run before tenants get shares",
				labelNames: ["state"],
				registers: [registry],
				collect() {
					const { running, waiting, limit } = load();
					for (const [state, value] of Object.entries({ running, waiting, limit })) {
						this.set({ state }, value);
					}
				},
			});
		},
		text: () => registry.metrics(),
		contentType: registry.contentType,
	};
}

/** `null` if the database is away, which `auth_store_up` reports. An old value would be wrong. */
async function inTime<T>(work: Promise<T>): Promise<T | null> {
	const timer = new AbortController();
	const timeout = sleep(STORE_TIMEOUT_MS, null, { signal: timer.signal }).catch(() => null);
	const result = await Promise.race([work.catch(() => null), timeout]);
	timer.abort();
	return result;
}
