import { passkey } from "@better-auth/passkey";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import { isAPIError } from "better-auth/api";
import { bearer, magicLink, openAPI, twoFactor } from "better-auth/plugins";
import { fastStatements } from "better-auth-fast";
import { tenantAuth } from "better-auth-tenant";
import { tenantDomains } from "better-auth-tenant/domains";
import { tenantImports } from "better-auth-tenant/imports";
import { tenantInvitations } from "better-auth-tenant/invitations";
import { tenantOpenId } from "better-auth-tenant/openid";
import { tenantSignIns } from "better-auth-tenant/sign-ins";
import { tenantWebhooks } from "better-auth-tenant/webhooks";
import { isCommonPassword } from "./common-passwords";
import { memoryCounters } from "./database/counters";
import { migrate } from "./database/migrate";
import { type AuthDatabase, openDatabase } from "./database/open-database";
import { openRedis, type RedisStore } from "./database/redis";
import { type AuthEmails, authEmails } from "./email/auth-emails";
import { limitedMailer } from "./email/limited-mailer";
import { createMailer, type Mailer } from "./email/mailer";
import { noFactorOfEmailsOnly, secondFactorCodes } from "./email/second-factor-codes";
import { mailTemplates } from "./email/templates/plugin";
import { eventStream } from "./event-stream/outbox";
import { homeRealm } from "./home-realm/plugin";
import { logos } from "./logos/plugin";
import { authLogger, type Log } from "./monitoring/log";
import { createMetrics, type Metrics } from "./monitoring/metrics";
import { outcomeRecorder } from "./monitoring/outcome-recorder";
import { currentRequest } from "./monitoring/request-record";
import { maxRefreshDays, outlivesSession } from "./openid-provider/applications/offline-access";
import { SERVICE_WIDE_DISCOVERY } from "./openid-provider/applications/service-wide";
import { openIdPlugins } from "./openid-provider/provider";
import { createAccess } from "./operators/access";
import { operatorCheck } from "./operators/operator-store";
import { operators } from "./operators/plugin";
import { SERVICE_TABLES } from "./operators/schema";
import { endSecondStep, passkeySecondFactor } from "./passkey-second-factor";
import { addressLimits } from "./rate-limits/address-limits";
import { attemptLimits } from "./rate-limits/attempt-limits";
import { withCaptcha } from "./rate-limits/captcha-check";
import { emailLimits } from "./rate-limits/email-limits";
import { bearerOf, managementKeyCheck } from "./rate-limits/management-key-check";
import { rememberedDevices } from "./rate-limits/remembered-devices";
import { scopedKeyCheck } from "./rate-limits/scoped-key-check";
import { askRegions } from "./regions/directory";
import { regions } from "./regions/plugin";
import { samlPlugins } from "./saml/plugin";
import { MAX_GROUP_MEMBERS, scimPlugins } from "./scim/plugin";
import type { ServiceConfig } from "./settings/service-config";
import { tenantSignUpFields } from "./sign-up-fields/plugin";

export const basePath = "/api/auth";

/** The page where errors of no known tenant end. A tenant's own host has it too. */
export const ERROR_PAGE = "/error";

const SIGN_IN_LINK_SECONDS = 10 * 60;

/** The header from which Better Auth reads the client's IP address, for rate limits and sessions. */
export const clientIpHeader = "x-server-client-ip";

/** What Better Auth needs. */
export type AuthParts = {
	database: AuthDatabase;
	redis: RedisStore | null;
	mailer: Mailer;
	log: Log;
};

export type Auth = ReturnType<typeof createAuth>;

/** Creates Better Auth. Migrate the database before, or Better Auth reports wrong tables. */
export const createAuth = (config: ServiceConfig, parts: AuthParts) =>
	betterAuth(authOptions(config, parts));

export function authOptions(config: ServiceConfig, { database, redis, mailer, log }: AuthParts) {
	const { settings, baseUrl, secrets, tenantHosts } = config;
	// Trusted at every host: the server's own pages may call the host of a tenant.
	const trustedOrigins = [baseUrl, ...config.otherOrigins, ...settings.trustedOrigins];
	const hasEmail = config.email !== "none";
	const isManager = managementKeyCheck(secrets.managementKeys);
	const isScopedKey = scopedKeyCheck(database.db);
	const isExempt = async (headers: Headers) =>
		isManager(headers) || isScopedKey(bearerOf(headers), headers.get(clientIpHeader));
	const counters = redis?.counters ?? memoryCounters();
	const attempts = attemptLimits(counters, settings.rateLimits, isManager);
	const limits = emailLimits(counters, settings.rateLimits, isManager);
	const limited = limitedMailer(mailer, limits, log);
	const emails = authEmails(limited, config, log);
	const sendsNewDevice = hasEmail && settings.newDeviceEmails;
	const access = createAccess({
		managementKeys: secrets.managementKeys,
		adminUserIds: settings.adminUserIds,
		requireSecondFactor: config.requireSecondFactor,
		ownOrigins: [baseUrl, ...config.otherOrigins],
	});
	return {
		baseURL: tenantHosts?.baseURL ?? baseUrl,
		basePath,
		...(secrets.secret ? { secret: secrets.secret } : {}),
		...(settings.secrets.length > 0 ? { secrets: settings.secrets } : {}),
		database,
		...(redis ? { secondaryStorage: redis.storage } : {}),
		// Management lists sessions from the table, even if requests read them from Redis.
		session: { storeSessionInDatabase: true },
		// A response of a SAML identity provider is matched with its request in the table only.
		// So are proofs that were used before.
		...(settings.saml || settings.dpop ? { verification: { storeInDatabase: true } } : {}),
		trustedOrigins,
		socialProviders: settings.providers,
		emailAndPassword: {
			enabled: true,
			requireEmailVerification: settings.requireEmailVerification,
			// Login options tell pages what there is.
			...(hasEmail ? { sendResetPassword: emails.resetPassword } : {}),
			onExistingUserSignUp: emails.existingAccount,
			// A user may reset a password because somebody else knows it.
			revokeSessionsOnPasswordReset: true,
			...(config.passwords ? { password: config.passwords } : {}),
		},
		emailVerification: {
			...(hasEmail ? { sendVerificationEmail: emails.verification } : {}),
			autoSignInAfterVerification: true,
		},
		user: {
			changeEmail: { enabled: hasEmail, sendChangeEmailConfirmation: emails.changeEmail },
			deleteUser: { enabled: hasEmail, sendDeleteAccountVerification: emails.deleteAccount },
		},
		rateLimit: {
			...addressLimits(settings.rateLimits.address, { basePath, isExempt }),
			storage: redis ? "secondary-storage" : "memory",
			...(config.enableRateLimit ? { enabled: true } : {}),
		},
		advanced: {
			useSecureCookies: baseUrl.startsWith("https:"),
			...(settings.cookieDomain
				? { crossSubDomainCookies: { enabled: true, domain: settings.cookieDomain } }
				: {}),
			ipAddress: { ipAddressHeaders: [clientIpHeader] },
			database: {
				// The SCIM plugin reads the members of a group without a limit. Some would keep their role.
				...(settings.scim ? { defaultFindManyLimit: MAX_GROUP_MEMBERS } : {}),
				...(config.isMigrated ? { validateSchema: false } : {}),
			},
		},
		logger: authLogger(log, settings.logLevel),
		// Without an origin: on a tenant's own host, it is the tenant's page.
		onAPIError: { errorURL: ERROR_PAGE, onError: (error) => logServerError(log, error) },
		hooks: {
			before: settings.captcha
				? withCaptcha(attempts.before, {
						settings: settings.captcha,
						isManager,
						verifyUrl: config.captchaVerifyUrl,
					})
				: attempts.before,
			after: attempts.after,
		},
		disabledPaths: settings.sessionTokens ? [] : ["/token"],
		plugins: [
			fastStatements(),
			tenantAuth({
				managementKeys: secrets.managementKeys,
				canManageTenants: access.canManageTenants,
				isStaff: operatorCheck(settings.adminUserIds),
				isCommonPassword,
				sharedTables: SERVICE_TABLES,
				checkedPlugins: ["operators", SERVICE_WIDE_DISCOVERY],
				allowPrivateProviderHosts: settings.allowPrivateProviderHosts,
				roles: settings.tenantRoles,
				// Each tenant is an issuer of tokens.
				signingKeysPerTenant: true,
				tenantInSessionTokens: settings.tenantInSessionTokens,
				oauthGrants: {
					maxDays: maxRefreshDays(settings.offlineAccessDays),
					outlivesSession,
				},
				...(tenantHosts ? { hosts: tenantHosts } : {}),
				...(settings.auditRetentionDays
					? { audit: { retentionDays: settings.auditRetentionDays } }
					: {}),
			}),
			tenantDomains(),
			tenantInvitations(
				hasEmail
					? { sendInvitation: emails.invitation, checkInvitation: emails.checkInvitation }
					: {},
			),
			tenantOpenId(),
			tenantImports(),
			tenantSignIns({ retentionDays: settings.signInRetentionDays }),
			tenantWebhooks({ retentionDays: settings.webhookRetentionDays }),
			...(settings.eventStream ? [eventStream()] : []),
			// Before the OAuth provider, which sends a code as soon as a response has a session. A user who signs
			// in with a provider has no password to confirm with.
			twoFactor({
				allowPasswordless: true,
				...(config.sendsCodes ? { otpOptions: secondFactorCodes(emails) } : {}),
			}),
			...(config.sendsCodes ? [noFactorOfEmailsOnly] : []),
			...openIdPlugins(config, access),
			...scimPlugins(config),
			...samlPlugins(config),
			logos(config),
			homeRealm,
			tenantSignUpFields,
			...(settings.regions
				? [
						regions(
							askRegions(settings.regions, log),
							async (ctx) => (await access.find(ctx))?.status === "allowed",
						),
					]
				: []),
			...(settings.bearerSessions ? [bearer()] : []),
			passkey({
				// Hosts below it may use it, and passkeys of one tenant are not found in another one.
				rpID: settings.tenantDomain ?? new URL(baseUrl).hostname,
				rpName: new URL(baseUrl).hostname,
				authentication: { afterVerification: endSecondStep },
			}),
			passkeySecondFactor,
			...(hasEmail ? [signInLinks(emails)] : []),
			operators({
				access,
				baseUrl,
				sendLink: mailer.outbox === null ? emails.operatorLink : null,
			}),
			mailTemplates(access, {
				mailer: limited,
				email: config.email,
				log,
			}),
			...(sendsNewDevice || settings.rateLimits.account
				? [rememberedDevices(sendsNewDevice ? emails.newDevice : null)]
				: []),
			// Its reference page runs a third-party script on the origin of the console.
			openAPI({ disableDefaultReference: true }),
			outcomeRecorder(log),
		],
	} satisfies BetterAuthOptions;
}

const signInLinks = (emails: AuthEmails) =>
	magicLink({
		expiresIn: SIGN_IN_LINK_SECONDS,
		storeToken: "hashed",
		// New users have a page of their own, which asks for their name.
		disableSignUp: true,
		sendMagicLink: emails.signInLink,
	});

/** The response already tells a client what it did wrong. */
function logServerError(log: Log, error: unknown): void {
	if (isAPIError(error) && error.statusCode < 500) return;
	// It fails to read the rest of the body.
	if (currentRequest()?.signal.aborted) return;
	log.error({ err: error }, "request failed");
}

/** Better Auth with its stores, without HTTP. */
export type Backend = AuthParts & {
	auth: Auth;
	metrics: Metrics;
	/** Finishes emails and transactions, and disconnects. */
	close: () => Promise<void>;
};

/** @throws StartError if a store cannot be used; everything is closed then */
export async function openBackend(config: ServiceConfig, log: Log): Promise<Backend> {
	const { settings } = config;
	const metrics = createMetrics({ hasEmail: config.email !== "none" });
	const database = openDatabase(settings, log);
	const mailer = createMailer(settings.email, log, metrics.countEmail);
	const parts: AuthParts = { database, redis: null, mailer, log };
	const close = async () => {
		await mailer.close();
		await parts.redis?.close();
		await database.db.destroy();
	};
	try {
		if (settings.redisUrl) {
			parts.redis = await openRedis(settings.redisUrl, log, config.redisPrefix);
		}
		const options = authOptions(config, parts);
		if (!config.isMigrated) await migrate(options, database);
		const auth = betterAuth(options);
		// Better Auth initializes in the background. An error must stop the start, not the first request.
		await auth.$context;
		return { ...parts, auth, metrics, close };
	} catch (error) {
		await close();
		throw error;
	}
}
