import { join } from "node:path";
import { pino } from "pino";
import type { AuthParts } from "../auth";
import { readStored } from "../generated-secrets";
import { createLog, type Log } from "../logs/log";
import { createMailer } from "../mail/mailer";
import type { RedisStore } from "../redis";
import { type ServiceConfig, secretValues, serviceConfig } from "../service-config";
import { readSettings } from "../settings";
import { Failure } from "./failure";

export type Configuration = { config: ServiceConfig; log: Log };

/**
 * What the server would run with. Nothing is made: a secret that only this command knows would be of
 * no use.
 *
 * @throws StartError for a setting that is wrong
 */
export function readConfiguration(): Configuration {
	const settings = readSettings(process.env, process.cwd());
	// The command itself says what went wrong. The log is for those who ask for it.
	if (!process.env.LOG_LEVEL) settings.logLevel = "silent";
	const file = join(settings.dataDir, "secrets.json");
	const stored = readStored(file);
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
		"There is no secret yet: set BETTER_AUTH_SECRET to the one that the server has, or start the server once to have one made in DATA_DIR.",
		{ code: "NO_SECRET" },
	);
}

/** Commands send no mail. */
export const partsOn = (
	{ config, log }: Configuration,
	database: AuthParts["database"],
	redis: RedisStore | null,
): AuthParts => ({
	database,
	redis,
	mailer: createMailer({ ...config.settings.mail, smtpUrl: null }, log, () => {}),
	log,
});
