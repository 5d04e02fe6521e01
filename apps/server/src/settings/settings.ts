import { join, resolve } from "node:path";
import { isLoopbackHost } from "@better-auth/core/utils/host";
import * as z from "zod";
import { findCaptchaProblem, readCaptcha } from "./captcha";
import { findEventStreamProblem, readEventStream } from "./event-stream";
import { providerVariables, readHostProviders } from "./providers";
import { findRegionProblem, readRegions } from "./regions";
import { StartError } from "./start-error";
import { variables } from "./variables";

export type { TrustedProxies } from "./formats";

const serverVariables = {
	...variables.Network,
	...variables["Request limits"],
	...variables["Secrets and management"],
	...variables.Storage,
	...variables["Retention and jobs"],
	...variables["Event stream"],
	...variables.Email,
	...variables["Administrators of tenants"],
	...variables.Companies,
	...variables.Regions,
	...variables.Applications,
	...variables.Providers,
	...variables["Logs and shutdown"],
};

const schema = z.object(serverVariables).superRefine((values, ctx) => {
	const { SMTP_URL, MAIL_FROM, REQUIRE_EMAIL_VERIFICATION, BETTER_AUTH_URL } = values;
	const report = (variable: string, message: string) =>
		ctx.addIssue({ code: "custom", path: [variable], message });
	const { COOKIE_DOMAIN, TENANT_DOMAIN } = values;
	if (COOKIE_DOMAIN && TENANT_DOMAIN) {
		report(
			"COOKIE_DOMAIN",
			"cannot be set together with TENANT_DOMAIN, which keeps cookies apart.",
		);
	}
	// A browser rejects a cookie for any other domain, and nobody could sign in.
	const host = new URL(BETTER_AUTH_URL ?? "http://localhost").hostname;
	if (COOKIE_DOMAIN && !`.${host}`.endsWith(`.${COOKIE_DOMAIN}`)) {
		report("COOKIE_DOMAIN", "must be the domain of BETTER_AUTH_URL, or one above it.");
	}
	if (SMTP_URL && !MAIL_FROM) report("MAIL_FROM", "must be set together with SMTP_URL.");
	if (REQUIRE_EMAIL_VERIFICATION && !SMTP_URL && isPublicUrl(BETTER_AUTH_URL)) {
		report("REQUIRE_EMAIL_VERIFICATION", "needs SMTP_URL, because no email is sent without it.");
	}
	for (const problem of [
		findCaptchaProblem(values),
		findRegionProblem(values),
		findEventStreamProblem(values),
	]) {
		if (problem) report(problem.variable, problem.message);
	}
});

const providersSchema = z
	.object(providerVariables)
	.transform((values, ctx) =>
		readHostProviders(values, ({ variable, message }) =>
			ctx.addIssue({ code: "custom", path: [variable], message }),
		),
	);

export type Environment = Record<string, string | undefined>;

export type Settings = ReturnType<typeof readSettings>;

/**
 * Reads the settings. A variable that is set but empty is treated as missing, because container tools
 * write it like this. A secret never appears in an error.
 *
 * @throws StartError for the first setting that is wrong
 */
export function readSettings(environment: Environment, workingDirectory: string) {
	const values = parse(schema, environment, Object.keys(serverVariables));
	requireLongKeys(values, environment);
	const dataDir = resolve(workingDirectory, values.DATA_DIR);
	return {
		port: values.PORT,
		host: values.HOST,
		baseUrl: values.BETTER_AUTH_URL ?? null,
		tenantDomain: values.TENANT_DOMAIN ?? null,
		trustedOrigins: values.TRUSTED_ORIGINS ?? [],
		trustedProxies: values.TRUST_PROXY,
		maxConcurrentRequests: values.MAX_CONCURRENT_REQUESTS,
		/** `null` means no limit. */
		rateLimits: {
			address: values.RATE_LIMIT,
			signIn: values.RATE_LIMIT_SIGN_IN,
			account: values.RATE_LIMIT_ACCOUNT,
			email: values.RATE_LIMIT_EMAIL,
			tenantEmail: values.RATE_LIMIT_TENANT_EMAIL,
			authorize: values.RATE_LIMIT_AUTHORIZE,
			token: values.RATE_LIMIT_TOKEN,
			introspect: values.RATE_LIMIT_INTROSPECT,
		},
		captcha: readCaptcha(values),
		secret: values.BETTER_AUTH_SECRET ?? null,
		/** Newest first. Empty if `secret` is the only one. */
		secrets: values.BETTER_AUTH_SECRETS ?? [],
		managementKeys: values.MANAGEMENT_KEYS ?? [],
		adminUserIds: values.ADMIN_USER_IDS ?? [],
		/** `null` if it depends on the base URL. */
		requireSecondFactor: values.REQUIRE_OPERATOR_SECOND_FACTOR ?? null,
		/** An absolute path. */
		dataDir,
		database: locateDatabase(values.DATABASE_URL, dataDir, workingDirectory),
		databasePoolSize: values.DATABASE_POOL_SIZE,
		redisUrl: values.REDIS_URL ?? null,
		auditRetentionDays: values.AUDIT_RETENTION_DAYS ?? null,
		signInRetentionDays: values.SIGN_IN_RETENTION_DAYS,
		webhookRetentionDays: values.WEBHOOK_RETENTION_DAYS,
		/** `0` means never. */
		intervals: {
			cleanUpHours: values.CLEAN_UP_INTERVAL_HOURS,
			domainCheckHours: values.DOMAIN_CHECK_INTERVAL_HOURS,
			samlMetadataHours: values.SAML_METADATA_INTERVAL_HOURS,
			webhookSeconds: values.WEBHOOK_INTERVAL_SECONDS,
			eventStreamSeconds: values.EVENT_STREAM_INTERVAL_SECONDS,
		},
		/** `null` without a log collector. */
		eventStream: readEventStream(values),
		email: {
			/** `null` if emails are kept in the outbox instead. */
			smtpUrl: values.SMTP_URL ?? null,
			from: values.MAIL_FROM ?? "outbox@localhost",
		},
		tenantAdminPages: values.TENANT_ADMIN_PAGES,
		tenantRoles: values.TENANT_ROLES ?? {},
		scim: values.SCIM,
		saml: values.SAML,
		regions: readRegions(values),
		apiAudiences: values.API_AUDIENCES ?? [],
		apiScopes: values.API_SCOPES,
		dpop: values.DPOP,
		signingKeyDays: values.SIGNING_KEY_DAYS,
		offlineAccessDays: values.OFFLINE_ACCESS_DAYS,
		accessTokenMinutes: values.ACCESS_TOKEN_MINUTES,
		idTokenMinutes: values.ID_TOKEN_MINUTES,
		bearerSessions: values.BEARER_SESSIONS,
		tenantInSessionTokens: values.TENANT_IN_SESSION_TOKENS ?? Boolean(values.REGIONS),
		sessionTokens: values.SESSION_TOKENS,
		cookieDomain: values.COOKIE_DOMAIN ?? null,
		requireEmailVerification: values.REQUIRE_EMAIL_VERIFICATION,
		newDeviceEmails: values.NEW_DEVICE_EMAILS,
		secondFactorEmails: values.SECOND_FACTOR_EMAILS,
		providers: parse(providersSchema, environment, Object.keys(providerVariables)),
		allowPrivateProviderHosts: values.ALLOW_PRIVATE_PROVIDER_HOSTS,
		logLevel: values.LOG_LEVEL,
		shutdownDelaySeconds: values.SHUTDOWN_DELAY_SECONDS,
	};
}

const MIN_KEY_LENGTH = 16;

/** Somebody who guesses a key manages all tenants. */
function requireLongKeys(
	{ MANAGEMENT_KEYS = [], BETTER_AUTH_URL }: z.output<typeof schema>,
	environment: Environment,
): void {
	const isProduction = environment.NODE_ENV === "production" || isPublicUrl(BETTER_AUTH_URL);
	if (!isProduction || MANAGEMENT_KEYS.every((key) => key.length >= MIN_KEY_LENGTH)) return;
	throw new StartError(
		`MANAGEMENT_KEYS must have keys of at least ${MIN_KEY_LENGTH} characters in production; generate one with: openssl rand -base64 32`,
	);
}

const isPublicUrl = (url: string | undefined) =>
	url !== undefined && !isLoopbackHost(new URL(url).hostname);

function parse<T>(schema: z.ZodType<T>, environment: Environment, names: string[]): T {
	const given = names.map((name) => [name, environment[name]?.trim() || undefined]);
	const { data, error } = schema.safeParse(Object.fromEntries(given));
	if (!error) return data;
	const [issue] = error.issues;
	throw new StartError(`${String(issue?.path[0])} ${issue?.message}`);
}

export type DatabaseLocation =
	| { type: "sqlite"; file: string; isDefault: boolean }
	| { type: "postgres" | "mysql"; url: string };

type DatabaseUrl = z.output<typeof serverVariables.DATABASE_URL>;

function locateDatabase(
	database: DatabaseUrl,
	dataDir: string,
	workingDirectory: string,
): DatabaseLocation {
	if (!database) return { type: "sqlite", file: join(dataDir, "auth.db"), isDefault: true };
	if (database.type !== "sqlite") return database;
	return { type: "sqlite", file: resolve(workingDirectory, database.path), isDefault: false };
}
