import { setTimeout as sleep } from "node:timers/promises";
import type { Started } from "./announcement";
import { loadSecrets } from "./generated-secrets";
import { type Listener, listen } from "./listen";
import { createLog, type Log } from "./logs/log";
import { createService } from "./service";
import { secretValues, serviceConfig } from "./service-config";
import type { Settings } from "./settings";

/** How long a stop waits for mails and stores, after the last request. */
const storesMs = 10_000;

export type RunningServer = Started & {
	log: Log;
	/** Lets what is under way finish, then closes the port and the stores. */
	close: () => Promise<void>;
};

/**
 * Starts the server. The port comes first: if it is taken, no database and no key was made for
 * nothing, and when any free one will do, the base URL needs to know which.
 *
 * @throws StartError when it cannot start; nothing is left open then
 */
export async function startServer(settings: Settings): Promise<RunningServer> {
	const listener = await listen(settings.host, settings.port);
	try {
		return await serveOn(listener, settings);
	} catch (error) {
		await listener.close();
		throw error;
	}
}

async function serveOn(listener: Listener, settings: Settings): Promise<RunningServer> {
	const secrets = loadSecrets(settings);
	const config = serviceConfig(settings, secrets, listener.port);
	const log = createLog({ level: settings.logLevel, secrets: secretValues(config) });
	warnOfLoneSecret(settings, log);
	const service = await createService(config, log);
	listener.serve(service.app.fetch);
	return {
		baseUrl: config.baseUrl,
		localUrl: `http://${reachable(settings.host)}:${listener.port}`,
		database: settings.database,
		secrets,
		log,
		close: async () => {
			service.health.stop();
			await listener.close(sleep(settings.shutdownDelaySeconds * 1000));
			await inTime(service.close(), log);
		},
	};
}

/** A store that does not hang up must not hold the process. */
async function inTime(closing: Promise<void>, log: Log): Promise<void> {
	const timer = new AbortController();
	const late = sleep(storesMs, "late" as const, { signal: timer.signal }).catch(() => {});
	const first = await Promise.race([closing, late]);
	timer.abort();
	if (first === "late") log.error("a store did not close in time");
}

/** Another server on the same database would make a secret of its own, and read nothing of this one's. */
function warnOfLoneSecret({ database, secret, secrets }: Settings, log: Log): void {
	if (database.type === "sqlite" || secret || secrets.length > 0) return;
	log.warn("BETTER_AUTH_SECRET is not set: the secret is in DATA_DIR, where other servers lack it");
}

/** As it stands in a URL; the addresses that mean "all of them" cannot be connected to everywhere. */
function reachable(host: string): string {
	if (host === "0.0.0.0") return "127.0.0.1";
	if (host === "::") return "[::1]";
	return host.includes(":") ? `[${host}]` : host;
}
