import { resolve } from "node:path";
import { socialProviders } from "@better-auth/core/social-providers";
import { describe, expect, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { readSettings } from "../src/settings/settings";
import { StartError } from "../src/settings/start-error";
import { documentSettings, readSettingsPage } from "./settings-document";

const read = (environment: Record<string, string>) => readSettings(environment, "/srv/app");
const long = (text: string) => text.repeat(32).slice(0, 32);

test("an empty environment gives the defaults", () => {
	expect(read({})).toEqual({
		port: 3000,
		host: "127.0.0.1",
		baseUrl: null,
		tenantDomain: null,
		trustedOrigins: [],
		trustedProxies: { hops: 0 },
		maxConcurrentRequests: 64,
		rateLimits: {
			address: { max: 500, window: 10 },
			signIn: { max: 30, window: 60 },
			account: { max: 10, window: 60 },
			email: { max: 3, window: 60 },
			tenantEmail: { max: 1000, window: 3600 },
			authorize: { max: 300, window: 60 },
			token: { max: 1200, window: 60 },
			introspect: { max: 6000, window: 60 },
		},
		captcha: null,
		secret: null,
		secrets: [],
		managementKeys: [],
		adminUserIds: [],
		requireSecondFactor: null,
		dataDir: resolve("/srv/app/data"),
		database: { type: "sqlite", file: resolve("/srv/app/data/auth.db"), isDefault: true },
		databasePoolSize: 10,
		redisUrl: null,
		auditRetentionDays: null,
		signInRetentionDays: 90,
		webhookRetentionDays: 30,
		intervals: {
			cleanUpHours: 24,
			domainCheckHours: 24,
			samlMetadataHours: 24,
			webhookSeconds: 5,
			eventStreamSeconds: 5,
		},
		eventStream: null,
		email: { smtpUrl: null, from: "outbox@localhost" },
		apiAudiences: [],
		scim: false,
		saml: false,
		regions: null,
		apiScopes: ["api"],
		dpop: false,
		signingKeyDays: 90,
		offlineAccessDays: 30,
		accessTokenMinutes: 60,
		idTokenMinutes: 600,
		bearerSessions: false,
		tenantInSessionTokens: false,
		sessionTokens: false,
		tenantAdminPages: true,
		tenantRoles: {},
		cookieDomain: null,
		requireEmailVerification: false,
		newDeviceEmails: true,
		secondFactorEmails: false,
		providers: {},
		allowPrivateProviderHosts: false,
		logLevel: "info",
		shutdownDelaySeconds: 0,
	});
});

test("every setting is read from its variable", () => {
	const settings = read({
		PORT: "8080",
		HOST: "0.0.0.0",
		BETTER_AUTH_URL: "https://auth.example.com/",
		TENANT_DOMAIN: "Example.com",
		TRUSTED_ORIGINS: "https://App.example.com/, https://*.example.org, myapp://",
		TRUST_PROXY: "10.0.0.0/8, ::1",
		BETTER_AUTH_SECRET: long("s"),
		BETTER_AUTH_SECRETS: `2:${long("n")}, 1:${long("o")}`,
		MANAGEMENT_KEYS: "first-key-abcdef-123, second_key/ABC+def~456==",
		ADMIN_USER_IDS: "first, second",
		REQUIRE_OPERATOR_SECOND_FACTOR: "false",
		DATA_DIR: "../elsewhere",
		DATABASE_URL: "postgres://me:secret@db.example.com/auth",
		DATABASE_POOL_SIZE: "25",
		REDIS_URL: "rediss://:secret@redis.example.com:6380/1",
		AUDIT_RETENTION_DAYS: "365",
		SIGN_IN_RETENTION_DAYS: "30",
		WEBHOOK_RETENTION_DAYS: "7",
		CLEAN_UP_INTERVAL_HOURS: "0",
		DOMAIN_CHECK_INTERVAL_HOURS: "12",
		SAML_METADATA_INTERVAL_HOURS: "6",
		WEBHOOK_INTERVAL_SECONDS: "60",
		EVENT_STREAM_URL: "https://siem.example.com/events",
		EVENT_STREAM_FORMAT: "json",
		EVENT_STREAM_HEADERS: "x-scope=auth",
		EVENT_STREAM_SECRET: `whsec_${"a".repeat(32)}`,
		EVENT_STREAM_INTERVAL_SECONDS: "30",
		RATE_LIMIT: "1000/60",
		RATE_LIMIT_SIGN_IN: "off",
		RATE_LIMIT_ACCOUNT: "5/300",
		RATE_LIMIT_EMAIL: "1/3600",
		RATE_LIMIT_TENANT_EMAIL: "50/3600",
		RATE_LIMIT_AUTHORIZE: "off",
		RATE_LIMIT_TOKEN: "100/10",
		RATE_LIMIT_INTROSPECT: "5/1",
		SMTP_URL: "smtps://me:secret@mail.example.com",
		MAIL_FROM: "Example <login@example.com>",
		REQUIRE_EMAIL_VERIFICATION: "true",
		NEW_DEVICE_EMAILS: "false",
		SECOND_FACTOR_EMAILS: "true",
		API_AUDIENCES: "https://api.example.com, http://localhost:4000/v1",
		API_SCOPES: "read, notes:write",
		SCIM: "true",
		SAML: "true",
		DPOP: "true",
		SIGNING_KEY_DAYS: "30",
		OFFLINE_ACCESS_DAYS: "7",
		ACCESS_TOKEN_MINUTES: "5",
		ID_TOKEN_MINUTES: "15",
		BEARER_SESSIONS: "true",
		TENANT_IN_SESSION_TOKENS: "true",
		SESSION_TOKENS: "1",
		TENANT_ADMIN_PAGES: "no",
		TENANT_ROLES: '{"helpdesk":["user:list","user:get","session:revoke"]}',
		GITHUB_CLIENT_ID: "id",
		GITHUB_CLIENT_SECRET: "secret",
		ALLOW_PRIVATE_PROVIDER_HOSTS: "yes",
		LOG_LEVEL: "WARN",
		SHUTDOWN_DELAY_SECONDS: "5",
		MAX_CONCURRENT_REQUESTS: "200",
		CAPTCHA: "Turnstile",
		CAPTCHA_SITE_KEY: "0x4AAA",
		CAPTCHA_SECRET_KEY: "0x4AAB-secret",
		REGION: "eu",
		REGIONS: "eu=https://auth.example.com,us=https://us.example.com",
		REGION_KEY: "r".repeat(32),
	});
	expect(settings).toEqual({
		port: 8080,
		host: "0.0.0.0",
		baseUrl: "https://auth.example.com",
		tenantDomain: "example.com",
		trustedOrigins: ["https://app.example.com", "https://*.example.org", "myapp://"],
		trustedProxies: { addresses: ["10.0.0.0/8", "::1"] },
		maxConcurrentRequests: 200,
		rateLimits: {
			address: { max: 1000, window: 60 },
			signIn: null,
			account: { max: 5, window: 300 },
			email: { max: 1, window: 3600 },
			tenantEmail: { max: 50, window: 3600 },
			authorize: null,
			token: { max: 100, window: 10 },
			introspect: { max: 5, window: 1 },
		},
		captcha: { provider: "turnstile", siteKey: "0x4AAA", secretKey: "0x4AAB-secret" },
		secret: long("s"),
		secrets: [
			{ version: 2, value: long("n") },
			{ version: 1, value: long("o") },
		],
		managementKeys: ["first-key-abcdef-123", "second_key/ABC+def~456=="],
		adminUserIds: ["first", "second"],
		requireSecondFactor: false,
		dataDir: resolve("/srv/elsewhere"),
		database: { type: "postgres", url: "postgres://me:secret@db.example.com/auth" },
		databasePoolSize: 25,
		redisUrl: "rediss://:secret@redis.example.com:6380/1",
		auditRetentionDays: 365,
		signInRetentionDays: 30,
		webhookRetentionDays: 7,
		intervals: {
			cleanUpHours: 0,
			domainCheckHours: 12,
			samlMetadataHours: 6,
			webhookSeconds: 60,
			eventStreamSeconds: 30,
		},
		eventStream: {
			url: "https://siem.example.com/events",
			format: "json",
			headers: { "x-scope": "auth" },
			secret: `whsec_${"a".repeat(32)}`,
		},
		email: { smtpUrl: "smtps://me:secret@mail.example.com", from: "Example <login@example.com>" },
		apiAudiences: ["https://api.example.com", "http://localhost:4000/v1"],
		scim: true,
		saml: true,
		regions: {
			name: "eu",
			others: [{ name: "us", url: "https://us.example.com" }],
			keys: ["r".repeat(32)],
		},
		apiScopes: ["read", "notes:write"],
		dpop: true,
		signingKeyDays: 30,
		offlineAccessDays: 7,
		accessTokenMinutes: 5,
		idTokenMinutes: 15,
		bearerSessions: true,
		tenantInSessionTokens: true,
		sessionTokens: true,
		tenantAdminPages: false,
		tenantRoles: { helpdesk: { statements: { user: ["list", "get"], session: ["revoke"] } } },
		cookieDomain: null,
		requireEmailVerification: true,
		newDeviceEmails: false,
		secondFactorEmails: true,
		providers: { github: { clientId: "id", clientSecret: "secret" } },
		allowPrivateProviderHosts: true,
		logLevel: "warn",
		shutdownDelaySeconds: 5,
	});
});

test("COOKIE_DOMAIN shares cookies below a domain, but not with the hosts of tenants", () => {
	const at = (origin: string) => ({ COOKIE_DOMAIN: "Example.com", BETTER_AUTH_URL: origin });
	expect(read(at("https://auth.example.com")).cookieDomain).toBe("example.com");
	expect(read(at("https://example.com")).cookieDomain).toBe("example.com");
	for (const origin of ["https://auth.example.org", "https://badexample.com", ""]) {
		expect(() => read(at(origin))).toThrow("COOKIE_DOMAIN must be the domain of BETTER_AUTH_URL");
	}
	const both = { ...at("https://auth.example.com"), TENANT_DOMAIN: "example.com" };
	expect(() => read(both)).toThrow(/^COOKIE_DOMAIN cannot be set together with TENANT_DOMAIN/);
});

test("the settings of a captcha belong together", () => {
	const all = { CAPTCHA: "hcaptcha", CAPTCHA_SITE_KEY: "site", CAPTCHA_SECRET_KEY: "secret" };
	expect(read(all).captcha).toEqual({ provider: "hcaptcha", siteKey: "site", secretKey: "secret" });
	for (const name of notEmpty(Object.keys(all))) {
		const only = { [name]: all[name as keyof typeof all] };
		expect(() => read(only)).toThrow("belong together");
		expect(() => read({ ...all, [name]: "" })).toThrow(`${name} must be set`);
	}
});

test.each([
	["file:./db/my.sqlite", resolve("/srv/app/db/my.sqlite")],
	["file:/var/lib/auth.db", "/var/lib/auth.db"],
	["file:///var/lib/my%20auth.db", "/var/lib/my auth.db"],
])("DATABASE_URL=%s is a file", (url, file) => {
	expect(read({ DATABASE_URL: url }).database).toEqual({ type: "sqlite", file, isDefault: false });
});

test("DATABASE_URL=mysql://… is a MySQL database", () => {
	const url = "mysql://root@127.0.0.1:3306/auth";
	expect(read({ DATABASE_URL: url }).database).toEqual({ type: "mysql", url });
});

/** The names of all variables that are read. */
function readVariables(environment: Record<string, string>): Set<string> {
	const names = new Set<string>();
	const watched = new Proxy(environment, {
		get: (target, name) => {
			names.add(String(name));
			return target[String(name)];
		},
	});
	readSettings(watched, "/srv/app");
	return names;
}

test("every variable that is read is in docs/service-settings.md", () => {
	const page = readSettingsPage();
	const missing = [...readVariables({})].filter((name) => !page.includes(`\`${name}\``));
	expect(missing).toEqual([]);
});

test("docs/service-settings.md describes the settings as the schema does", () => {
	const page = readSettingsPage();
	expect(page).toBe(documentSettings(page));
});

test("a variable that is set but empty counts as missing", () => {
	const empty = Object.fromEntries([...readVariables({})].map((name) => [name, " "]));
	expect(read(empty)).toEqual(read({}));
});

const url = "BETTER_AUTH_URL must be an http or https URL without a path";
const database = "DATABASE_URL must be file: and a path, or a postgres:// or mysql:// URL";

test.each([
	["PORT", "http", 'PORT must be a number from 0 to 65535, but it is "http".'],
	["PORT", "65536", 'PORT must be a number from 0 to 65535, but it is "65536".'],
	["PORT", "-1", 'PORT must be a number from 0 to 65535, but it is "-1".'],
	["PORT", "1e3", 'PORT must be a number from 0 to 65535, but it is "1e3".'],
	["HOST", "http://x", "HOST must be an IP address or a host name"],
	["BETTER_AUTH_URL", "auth.example.com", url],
	["BETTER_AUTH_URL", "localhost:3000", url],
	["BETTER_AUTH_URL", "ftp://auth.example.com", url],
	["BETTER_AUTH_URL", "https://auth.example.com/api/auth", url],
	["BETTER_AUTH_URL", "https://auth.example.com?x=1", url],
	["BETTER_AUTH_URL", "https://user:pass@auth.example.com", url],
	[
		"CAPTCHA",
		"vercel",
		'CAPTCHA must be one of turnstile, hcaptcha, recaptcha, but it is "vercel".',
	],
	["CAPTCHA_SITE_KEY", '"><script>', "CAPTCHA_SITE_KEY must be a key of the captcha provider"],
	["CAPTCHA_SECRET_KEY", "two words", "CAPTCHA_SECRET_KEY must be a key of the captcha provider"],
	["TENANT_DOMAIN", "https://example.com", "TENANT_DOMAIN must be a domain"],
	["TENANT_DOMAIN", "example.com:3000", "TENANT_DOMAIN must be a domain"],
	["TENANT_DOMAIN", "*.example.com", "TENANT_DOMAIN must be a domain"],
	["TENANT_DOMAIN", "127.0.0.1", "TENANT_DOMAIN must be a domain"],
	["TRUSTED_ORIGINS", "*", 'but one is "*".'],
	["TRUSTED_ORIGINS", "app.example.com", "TRUSTED_ORIGINS must be"],
	["TRUSTED_ORIGINS", "https://a.example.com,", "TRUSTED_ORIGINS must be"],
	["TRUSTED_ORIGINS", "https://a.example.com/path", "TRUSTED_ORIGINS must be"],
	["TRUSTED_ORIGINS", "javascript://x", "TRUSTED_ORIGINS must be"],
	["TRUST_PROXY", "true", "TRUST_PROXY must be the number of proxies"],
	["TRUST_PROXY", "10.0.0.0/33", "TRUST_PROXY must be the number of proxies"],
	["TRUST_PROXY", "10.0.0.1,", "TRUST_PROXY must be the number of proxies"],
	["TENANT_ROLES", "helpdesk", "TENANT_ROLES must be JSON with the actions of each role"],
	["TENANT_ROLES", '{"helpdesk":"user:list"}', "TENANT_ROLES must be JSON"],
	["TENANT_ROLES", '["user:list"]', "TENANT_ROLES must be JSON"],
	["TENANT_ROLES", '{"owner":[]}', "TENANT_ROLES cannot change what an owner may do."],
	["TENANT_ROLES", '{"a b":[]}', 'TENANT_ROLES must not name a role "a b".'],
	["TENANT_ROLES", '{"x":["tenant:delete"]}', 'TENANT_ROLES must not give "tenant:delete" to "x"'],
	["TENANT_ROLES", '{"x":["user"]}', 'TENANT_ROLES must not give "user" to "x"'],
	["BETTER_AUTH_SECRET", "short", "BETTER_AUTH_SECRET must have at least 32 characters"],
	["BETTER_AUTH_SECRETS", long("x"), "BETTER_AUTH_SECRETS must be a comma-separated list"],
	["BETTER_AUTH_SECRETS", "1:short", "BETTER_AUTH_SECRETS must be a comma-separated list"],
	["BETTER_AUTH_SECRETS", `a:${long("x")}`, "BETTER_AUTH_SECRETS must be"],
	["BETTER_AUTH_SECRETS", `1:${long("x")},1:${long("y")}`, "must not contain a version twice"],
	["MANAGEMENT_KEYS", "long-enough-key-1234,", "MANAGEMENT_KEYS must be"],
	["MANAGEMENT_KEYS", "a key with spaces in it", "MANAGEMENT_KEYS must be"],
	["RATE_LIMIT", "100", "RATE_LIMIT must be"],
	["RATE_LIMIT", "0/10", "RATE_LIMIT must be"],
	["RATE_LIMIT_ACCOUNT", "10/0", "RATE_LIMIT_ACCOUNT must be"],
	["ADMIN_USER_IDS", "a,,b", "ADMIN_USER_IDS must be"],
	["DATABASE_URL", "sqlite://x", database],
	["DATABASE_URL", "postgres://", database],
	["DATABASE_URL", "postgres://db.example.com", database],
	["DATABASE_URL", "postgres://a,b/auth?target_session_attrs=read-write", database],
	["DATABASE_URL", "postgres://a:5432,b:5432/auth", database],
	["DATABASE_URL", "postgres://a/auth?host=a,b", database],
	["DATABASE_URL", "file:", database],
	["DATABASE_URL", "file://host/path", database],
	["DATABASE_POOL_SIZE", "1", "DATABASE_POOL_SIZE must be a number from 2 to 500"],
	[
		"REDIS_URL",
		"127.0.0.1:6379",
		"REDIS_URL must be a redis:// or rediss:// URL, or one that starts with redis-sentinel:// or redis-cluster://.",
	],
	[
		"REDIS_URL",
		"redis://10.0.0.1,10.0.0.2",
		"REDIS_URL must name one host. For several, use redis-sentinel:// or redis-cluster://.",
	],
	[
		"REDIS_URL",
		"redis-sentinel://10.0.0.1:26379",
		"REDIS_URL must end with the name that the Sentinels have for the master, such as redis-sentinel://10.0.0.1:26379,10.0.0.2:26379/mymaster.",
	],
	[
		"REDIS_URL",
		"redis-cluster://10.0.0.1:99999",
		"REDIS_URL must have hosts such as 10.0.0.1:26379,10.0.0.2:26379.",
	],
	[
		"REDIS_URL",
		"redis-cluster://10.0.0.1/2",
		"REDIS_URL must not name a database: a cluster has only one.",
	],
	["REDIS_URL", "redis-sentinel://10.0.0.1/mymaster?db=2", "REDIS_URL has an unknown option: db."],
	["SMTP_URL", "mail.example.com", "SMTP_URL must be an smtp:// or smtps:// URL."],
	["SMTP_URL", "smtp://mail.example.com", "MAIL_FROM must be set together with SMTP_URL."],
	["MAIL_FROM", "nobody", "MAIL_FROM must be an email address"],
	["REQUIRE_EMAIL_VERIFICATION", "maybe", "REQUIRE_EMAIL_VERIFICATION must be true or false."],
	["ALLOW_PRIVATE_PROVIDER_HOSTS", "2", "ALLOW_PRIVATE_PROVIDER_HOSTS must be true or false."],
	["LOG_LEVEL", "loud", "LOG_LEVEL must be one of debug, info, warn, error, silent"],
	["SHUTDOWN_DELAY_SECONDS", "soon", "SHUTDOWN_DELAY_SECONDS must be a number from 0 to 300"],
	[
		"GITLAB_ISSUER",
		"https://gitlab.example.com",
		"GITLAB_ISSUER is set, but GITLAB_CLIENT_ID is not.",
	],
	[
		"API_AUDIENCES",
		"https://api.example.com,api",
		'API_AUDIENCES must be a comma-separated list of http or https URLs, but one is "api".',
	],
	[
		"API_SCOPES",
		"read,wr ite",
		'API_SCOPES must be a comma-separated list of scopes without spaces, but one is "wr ite".',
	],
	["SIGNING_KEY_DAYS", "0", 'SIGNING_KEY_DAYS must be a number from 1 to 3650, but it is "0".'],
])("one sentence names the wrong setting: %s=%s", (name, value, sentence) => {
	const attempt = () => read({ [name]: value });
	expect(attempt).toThrow(StartError);
	expect(attempt).toThrow(sentence);
	expect(attempt).not.toThrow("\n");
});

test("email verification needs SMTP, except on this machine", () => {
	const required = { REQUIRE_EMAIL_VERIFICATION: "1" };
	expect(() => read({ ...required, BETTER_AUTH_URL: "https://auth.example.com" })).toThrow(
		"REQUIRE_EMAIL_VERIFICATION needs SMTP_URL",
	);
	expect(read({ ...required, BETTER_AUTH_URL: "http://localhost:4000" })).toMatchObject({
		requireEmailVerification: true,
	});
});

test("a short management key is refused in production", () => {
	const short = { MANAGEMENT_KEYS: "a-management-key-1234,short" };
	const refusal = "MANAGEMENT_KEYS must have keys of at least 16 characters in production";
	expect(() => read({ ...short, NODE_ENV: "production" })).toThrow(refusal);
	expect(() => read({ ...short, BETTER_AUTH_URL: "https://auth.example.com" })).toThrow(refusal);
	expect(read(short).managementKeys).toHaveLength(2);
});

test("an error does not contain a wrong secret", () => {
	expect(() => read({ BETTER_AUTH_SECRET: "hunter2" })).not.toThrow("hunter2");
	expect(() => read({ BETTER_AUTH_SECRETS: "1:hunter2" })).not.toThrow("hunter2");
	expect(() => read({ MANAGEMENT_KEYS: "hunter2 hunter2" })).not.toThrow("hunter2");
	for (const name of ["BETTER_AUTH_URL", "DATABASE_URL", "REDIS_URL", "SMTP_URL"]) {
		expect(() => read({ [name]: "https://me:hunter2@example.com" })).toThrow(name);
		expect(() => read({ [name]: "https://me:hunter2@example.com" })).not.toThrow("hunter2");
	}
});

describe("providers:", () => {
	const idOf = (id: string) =>
		`${id.toUpperCase()}_${id === "tiktok" ? "CLIENT_KEY" : "CLIENT_ID"}`;
	const requiredOptions: Record<string, Record<string, string>> = {
		cognito: {
			COGNITO_DOMAIN: "example.auth.eu-west-1.amazoncognito.com",
			COGNITO_REGION: "eu-west-1",
			COGNITO_USER_POOL_ID: "eu-west-1_Ab",
		},
	};

	test.each(Object.keys(socialProviders))("%s is set up with its client id and secret", (id) => {
		const environment = {
			[idOf(id)]: "an id",
			[`${id.toUpperCase()}_CLIENT_SECRET`]: "a secret",
			...requiredOptions[id],
		};
		expect(Object.keys(read(environment).providers)).toEqual([id]);
	});

	test.each(["github", "google", "tiktok"])("%s with only one of both names both", (id) => {
		const secret = `${id.toUpperCase()}_CLIENT_SECRET`;
		const sentence = `${idOf(id)} and ${secret} must be set together.`;
		expect(() => read({ [idOf(id)]: "an id" })).toThrow(sentence);
		expect(() => read({ [secret]: "a secret" })).toThrow(sentence);
	});

	test("the options of a provider are passed to it", () => {
		const { providers } = read({
			MICROSOFT_CLIENT_ID: "id",
			MICROSOFT_TENANT_ID: "organizations",
			GITLAB_CLIENT_ID: "id",
			GITLAB_CLIENT_SECRET: "secret",
			GITLAB_ISSUER: "https://gitlab.example.com",
			TIKTOK_CLIENT_KEY: "key",
			TIKTOK_CLIENT_SECRET: "secret",
			FACEBOOK_CLIENT_ID: "id",
			FACEBOOK_CLIENT_SECRET: "secret",
			FACEBOOK_FIELDS: "id, name",
		});
		expect(providers).toEqual({
			microsoft: { clientId: "id", tenantId: "organizations" },
			gitlab: { clientId: "id", clientSecret: "secret", issuer: "https://gitlab.example.com" },
			tiktok: { clientKey: "key", clientSecret: "secret" },
			facebook: { clientId: "id", clientSecret: "secret", fields: ["id", "name"] },
		});
	});

	test.each([
		[{ COGNITO_CLIENT_ID: "id" }, "COGNITO_DOMAIN must be set together with COGNITO_CLIENT_ID."],
		[
			{ PAYPAL_CLIENT_ID: "i", PAYPAL_CLIENT_SECRET: "s", PAYPAL_ENVIRONMENT: "prod" },
			'PAYPAL_ENVIRONMENT must be one of sandbox, live, but it is "prod".',
		],
		[
			{ GITLAB_CLIENT_ID: "i", GITLAB_CLIENT_SECRET: "s", GITLAB_ISSUER: "gitlab" },
			"GITLAB_ISSUER must be an http or https URL.",
		],
	])("%j is rejected", (environment, sentence) => {
		expect(() => read(environment)).toThrow(sentence);
	});
});
