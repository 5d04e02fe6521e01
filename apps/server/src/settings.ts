import { resolve } from "node:path";
import { isLoopbackHost } from "@better-auth/core/utils/host";
import { readBaseUrl, readHost, readTenantDomain, readTrustedOrigins } from "./settings/addresses";
import { type Environment, readFlag, reading, readNumber } from "./settings/environment";
import { type LogLevel, readLogLevel } from "./settings/log-level";
import { type MailSettings, readMail } from "./settings/mail";
import { type GlobalProviders, readProviders } from "./settings/providers";
import {
	readAdminUserIds,
	readManagementKeys,
	readSecret,
	readVersionedSecrets,
	type VersionedSecret,
} from "./settings/secrets";
import { type DatabaseAddress, readDatabase, readRedisUrl } from "./settings/stores";
import { readTrustedProxies, type TrustedProxies } from "./settings/trusted-proxies";
import { StartError } from "./start-error";

export { StartError } from "./start-error";

/** What the environment says; `null` is what the server works out for itself. */
export type Settings = {
	port: number;
	host: string;
	/** The origin callers see, such as `https://auth.example.com`. */
	baseUrl: string | null;
	/** The domain whose subdomains are tenants. */
	tenantDomain: string | null;
	/** Further origins whose pages may call. */
	trustedOrigins: string[];
	trustedProxies: TrustedProxies;
	secret: string | null;
	/** Numbered secrets, the newest first; none where `secret` is all there is. */
	secrets: VersionedSecret[];
	managementKeys: string[];
	/** Users of no tenant who may manage through their session. */
	adminUserIds: string[];
	/** An absolute path. */
	dataDir: string;
	database: DatabaseAddress;
	/** How many connections the server opens to a PostgreSQL or MySQL database. */
	databasePoolSize: number;
	redisUrl: string | null;
	mail: MailSettings;
	requireEmailVerification: boolean;
	providers: GlobalProviders;
	allowPrivateProviderHosts: boolean;
	logLevel: LogLevel;
	/** How long a stopping server says that it is not ready before it takes no more connections. */
	shutdownDelaySeconds: number;
};

/**
 * Reads the settings. A variable that is set but empty counts as missing, as container tools write
 * it. Values of secrets never appear in an error.
 *
 * @throws StartError for the first setting that is wrong
 */
export function readSettings(environment: Environment, workingDirectory: string): Settings {
	const read = reading(environment);
	const dataDir = resolve(workingDirectory, read("DATA_DIR") ?? "data");
	const settings: Settings = {
		port: readNumber(read, "PORT", { least: 0, most: 65_535, fallback: 3000 }),
		host: readHost(read),
		baseUrl: readBaseUrl(read),
		tenantDomain: readTenantDomain(read),
		trustedOrigins: readTrustedOrigins(read),
		trustedProxies: readTrustedProxies(read),
		secret: readSecret(read),
		secrets: readVersionedSecrets(read),
		managementKeys: readManagementKeys(read),
		adminUserIds: readAdminUserIds(read),
		dataDir,
		database: readDatabase(read, dataDir, workingDirectory),
		databasePoolSize: readNumber(read, "DATABASE_POOL_SIZE", { least: 2, most: 500, fallback: 10 }),
		redisUrl: readRedisUrl(read),
		mail: readMail(read),
		requireEmailVerification: readFlag(read, "REQUIRE_EMAIL_VERIFICATION"),
		providers: readProviders(read),
		allowPrivateProviderHosts: readFlag(read, "ALLOW_PRIVATE_PROVIDER_HOSTS"),
		logLevel: readLogLevel(read),
		shutdownDelaySeconds: readNumber(read, "SHUTDOWN_DELAY_SECONDS", {
			least: 0,
			most: 300,
			fallback: 0,
		}),
	};
	requireMailForVerification(settings);
	return settings;
}

/** Nobody could ever finish a sign-up. */
function requireMailForVerification(settings: Settings): void {
	if (!settings.requireEmailVerification || settings.mail.smtpUrl) return;
	if (!settings.baseUrl || isLoopbackHost(new URL(settings.baseUrl).hostname)) return;
	throw new StartError("REQUIRE_EMAIL_VERIFICATION needs SMTP_URL, or no mail reaches anybody.");
}
