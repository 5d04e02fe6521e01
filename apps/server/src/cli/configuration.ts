import { join } from "node:path";
import { pino } from "pino";
import type { AuthParts } from "../auth";
import type { RedisStore } from "../database/redis";
import { createMailer } from "../email/mailer";
import { createLog, type Log } from "../monitoring/log";
import { readStoredSecrets } from "../settings/generated-secrets";
import { type ServiceConfig, secretValues, serviceConfig } from "../settings/service-config";
import { readSettings } from "../settings/settings";
import { Failure } from "./output";

export type Configuration = { config: ServiceConfig; log: Log };

/**
 * Reads the configuration of the server. It generates no secret: a secret that only this command knows
 * would be useless.
 *
 * @throws StartError for a wrong setting
 */
export function readConfiguration(): Configuration {
	const settings = readSettings(process.env, process.cwd());
	// The command prints its own errors. It logs only if LOG_LEVEL is set.
	if (!process.env.LOG_LEVEL) settings.logLevel = "silent";
	const file = join(settings.dataDir, "secrets.json");
	const stored = readStoredSecrets(file);
	const secrets = {
		secret: settings.secret ?? stored.betterAuthSecret ?? null,
		managementKeys: settings.managementKeys,
		fromSettings: true,
		newManagementKey: null,
		file,
	};
	const config = serviceConfig(settings, secrets, settings.port);
	const log = createLog({
		level: settings.logLevel,
		secrets: [...secretValues(config), ...(stored.managementKey ? [stored.managementKey] : [])],
		destination: pino.destination({ dest: 2, sync: true }),
	});
	return { config, log };
}

export const hasSecret = ({ secrets, settings }: ServiceConfig) =>
	secrets.secret !== null || settings.secrets.length > 0;

export function requireSecret(config: ServiceConfig): void {
	if (hasSecret(config)) return;
	throw new Failure(
		"There is no secret yet. Set BETTER_AUTH_SECRET to the secret of the server, or start the server once to generate one in DATA_DIR.",
		{ code: "NO_SECRET" },
	);
}

/** Commands send no emails. */
export const createParts = (
	{ config, log }: Configuration,
	database: AuthParts["database"],
	redis: RedisStore | null,
): AuthParts => ({
	database,
	redis,
	mailer: createMailer({ ...config.settings.email, smtpUrl: null }, log, () => {}),
	log,
});
