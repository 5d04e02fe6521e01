import { type BetterAuthOptions, betterAuth } from "better-auth";
import { isAPIError } from "better-auth/api";
import { openAPI } from "better-auth/plugins";
import { tenantAuth } from "better-auth-tenant";
import { clientAddressHeader } from "./client-address";
import type { AuthDatabase } from "./database/open-database";
import { authLogger } from "./logs/foreign-logs";
import type { Log } from "./logs/log";
import { noteOutcome } from "./logs/sign-in-outcome";
import { authMails } from "./mail/auth-mails";
import type { Mailer } from "./mail/mailer";
import { tenantPages } from "./mail/tenant-pages";
import { narrowRedirectTargets } from "./redirect-targets";
import type { RedisStore } from "./redis";
import type { ServiceConfig } from "./service-config";
import { type TenantDomain, tenantDomain, tenantOfHost } from "./tenant-domain";

export const basePath = "/api/auth";

/** What Better Auth stands on. */
export type AuthParts = {
	database: AuthDatabase;
	redis: RedisStore | null;
	mailer: Mailer;
	log: Log;
};

export type Auth = ReturnType<typeof createAuth>;

/** Sets Better Auth up. The database must have been migrated, or it reports tables that do not match. */
export const createAuth = (config: ServiceConfig, parts: AuthParts) =>
	betterAuth(authOptions(config, parts));

export function authOptions(config: ServiceConfig, { database, redis, mailer, log }: AuthParts) {
	const { settings, baseUrl, secrets } = config;
	const tenants = settings.tenantDomain ? tenantDomain(settings.tenantDomain, baseUrl) : null;
	const trustedOrigins = [baseUrl, ...config.otherOrigins, ...settings.trustedOrigins];
	const mails = authMails(mailer, tenantPages(config, tenants));
	return {
		baseURL: tenants ? perHost(tenants, baseUrl) : baseUrl,
		basePath,
		...(secrets.secret ? { secret: secrets.secret } : {}),
		...(settings.secrets.length > 0 ? { secrets: settings.secrets } : {}),
		database,
		...(redis ? { secondaryStorage: redis.storage } : {}),
		// Management lists sessions from the table, wherever requests read them from.
		session: { storeSessionInDatabase: true },
		trustedOrigins,
		socialProviders: settings.providers,
		emailAndPassword: {
			enabled: true,
			requireEmailVerification: settings.requireEmailVerification,
			sendResetPassword: mails.resetPassword,
			...(config.passwords ? { password: config.passwords } : {}),
		},
		emailVerification: {
			sendVerificationEmail: mails.verification,
			autoSignInAfterVerification: true,
		},
		user: {
			changeEmail: { enabled: true, sendChangeEmailConfirmation: mails.changeEmail },
			deleteUser: { enabled: true, sendDeleteAccountVerification: mails.deleteAccount },
		},
		rateLimit: {
			storage: redis ? "secondary-storage" : "memory",
			...(config.limitsRates ? { enabled: true } : {}),
		},
		advanced: {
			useSecureCookies: baseUrl.startsWith("https:"),
			ipAddress: { ipAddressHeaders: [clientAddressHeader] },
		},
		logger: authLogger(log, settings.logLevel),
		onAPIError: { onError: (error) => reportFailure(log, error) },
		hooks: { after: noteOutcome },
		plugins: [
			tenantAuth({
				managementKeys: secrets.managementKeys,
				adminUserIds: settings.adminUserIds,
				allowPrivateProviderHosts: settings.allowPrivateProviderHosts,
				...(tenants
					? { resolveTenantId: tenantOfHost(tenants), reservedSlugs: tenants.reservedSlugs }
					: {}),
			}),
			...(tenants ? [narrowRedirectTargets(trustedOrigins)] : []),
			// Its page runs a script of a foreign host where the console keeps the management key.
			openAPI({ disableDefaultReference: true }),
		],
	} satisfies BetterAuthOptions;
}

/** Links, callbacks and cookies are those of the host that was called. Cookies are for it alone. */
function perHost({ hosts }: TenantDomain, baseUrl: string) {
	const { host, protocol } = new URL(baseUrl);
	return {
		allowedHosts: [host, hosts],
		protocol: protocol === "https:" ? ("https" as const) : ("http" as const),
		fallback: baseUrl,
	};
}

/** What callers did wrong is their answer's matter; what went wrong here is the operator's. */
function reportFailure(log: Log, error: unknown): void {
	if (isAPIError(error) && error.statusCode < 500) return;
	log.error({ err: error }, "a request failed");
}
