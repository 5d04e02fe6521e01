import { setTimeout as sleep } from "node:timers/promises";
import { createLoadShedder } from "fair-load-shedder";
import { type Backend, openBackend } from "./auth";
import { createDailyCounts } from "./database/daily-counts";
import { createTenantDays } from "./database/tenant-days";
import { findOldest, lagOf } from "./event-stream/outbox";
import { type App, createApp } from "./http/app";
import { createHealth, type Health } from "./http/health";
import { type Listener, listen } from "./http/listen";
import { type RequestGate, requestGate } from "./http/request-gate";
import { streamJobs } from "./jobs/event-stream";
import { createJobs, type Jobs } from "./jobs/jobs";
import { logoutJob } from "./jobs/logout-tokens";
import { createLog, type Log } from "./monitoring/log";
import { certificateCounts } from "./saml/certificate-states";
import { loadSecrets } from "./settings/generated-secrets";
import { type ServiceConfig, secretValues, serviceConfig } from "./settings/service-config";
import type { Settings } from "./settings/settings";
import type { StartReport } from "./startup-banner";

/** How long a stopping server waits for emails and stores, after the last request. */
const STORES_TIMEOUT_MS = 10_000;

export type RunningServer = StartReport & {
	log: Log;
	/** Finishes running requests, then closes the port and the stores. */
	close: () => Promise<void>;
};

/** What only a program that starts the server can choose: it is not a setting. */
type StartOptions = Pick<ServiceConfig, "passwords" | "captchaVerifyUrl">;

/**
 * Starts the server. It binds the port first: if the port is taken, no database and no key are
 * created, and with `PORT=0` the base URL depends on the port.
 *
 * @throws StartError if the server cannot start; everything is closed then
 */
export async function startServer(
	settings: Settings,
	options: StartOptions = {},
): Promise<RunningServer> {
	const listener = await listen(settings.host, settings.port);
	try {
		return await serveOn(listener, settings, options);
	} catch (error) {
		await listener.close();
		throw error;
	}
}

async function serveOn(
	listener: Listener,
	settings: Settings,
	options: StartOptions,
): Promise<RunningServer> {
	const secrets = loadSecrets(settings);
	const config = { ...serviceConfig(settings, secrets, listener.port), ...options };
	const log = createLog({ level: settings.logLevel, secrets: secretValues(config) });
	warnIfSecretIsNotShared(settings, log);
	warnIfEmailIsMissing(config, log);
	const service = await createService(config, log);
	listener.serve(service.app.fetch, service.gate);
	service.jobs.start();
	return {
		baseUrl: config.baseUrl,
		localUrl: `http://${connectableHost(settings.host)}:${listener.port}`,
		database: settings.database,
		email: config.email,
		secrets,
		hasOperators: (await service.backend.auth.api.listOperators()).length > 0,
		log,
		close: async () => {
			service.health.stop();
			await listener.close(sleep(settings.shutdownDelaySeconds * 1000));
			await withTimeout(service.close(), log);
		},
	};
}

export type Service = {
	app: App;
	/** What a server passes requests through before `app`. */
	gate: RequestGate;
	backend: Backend;
	health: Health;
	/** They are not started yet. */
	jobs: Jobs;
	/** Finishes running work and closes every store. */
	close: () => Promise<void>;
};

/**
 * Everything behind the port: the stores, Better Auth and the HTTP app.
 *
 * @throws StartError if a store cannot be used
 */
export async function createService(config: ServiceConfig, log: Log): Promise<Service> {
	const backend = await openBackend(config, log);
	const counts = createDailyCounts(backend.database, log);
	const tenantDays = createTenantDays(backend.database, log);
	const health = createHealth(backend, log, config);
	const jobs = createJobs(backend, config.settings, [
		logoutJob(backend, config),
		...streamJobs(backend, config),
	]);
	const context = await backend.auth.$context;
	if (config.settings.saml) backend.metrics.watchCertificates(certificateCounts(context.adapter));
	if (config.settings.eventStream) {
		backend.metrics.watchStream(async () => lagOf(await findOldest(context)));
	}
	return {
		app: createApp({ config, backend, counts, tenantDays, health, jobs }),
		gate: requestGate({
			shedder: createLoadShedder({ maxRunning: config.settings.maxConcurrentRequests }),
			tenantHosts: config.tenantHosts,
			trustedProxies: config.settings.trustedProxies,
			trustedOrigins: config.settings.trustedOrigins,
			metrics: backend.metrics,
			log,
		}),
		backend,
		health,
		jobs,
		close: async () => {
			await jobs.close();
			await counts.close();
			await tenantDays.close();
			await backend.close();
		},
	};
}

/** A store that does not close must not keep the process running. */
async function withTimeout(closing: Promise<void>, log: Log): Promise<void> {
	const timer = new AbortController();
	const timeout = sleep(STORES_TIMEOUT_MS, "timeout" as const, { signal: timer.signal }).catch(
		() => {},
	);
	const first = await Promise.race([closing, timeout]);
	timer.abort();
	if (first === "timeout") log.error("a store did not close in time");
}

/** Another server on the same database would generate a different secret, and could decrypt nothing. */
function warnIfSecretIsNotShared({ database, secret, secrets }: Settings, log: Log): void {
	if (database.type === "sqlite" || secret || secrets.length > 0) return;
	log.warn(
		"BETTER_AUTH_SECRET is not set: the secret is only in DATA_DIR, and other servers do not have it",
	);
}

function warnIfEmailIsMissing({ email }: ServiceConfig, log: Log): void {
	if (email !== "none") return;
	log.warn(
		"SMTP_URL is not set: no email is sent, and users cannot reset a password, verify or change an email, or delete their account",
	);
}

/** As part of a URL. Not every system can connect to the addresses that mean "all interfaces". */
function connectableHost(host: string): string {
	if (host === "0.0.0.0") return "127.0.0.1";
	if (host === "::") return "[::1]";
	return host.includes(":") ? `[${host}]` : host;
}
