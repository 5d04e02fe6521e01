import * as z from "zod";
import { captchaKey, captchaProvider } from "./captcha";
import { streamFormat, streamHeaders, streamSecret, streamUrl } from "./event-stream";
import {
	commaSeparated,
	databaseUrl,
	domain,
	flag,
	hostName,
	integer,
	managementKey,
	oneOf,
	origin,
	rate,
	redisUrl,
	resourceUri,
	scope,
	secret,
	sender,
	smtpUrl,
	trustedOrigin,
	trustedProxies,
	userId,
	versionedSecrets,
} from "./formats";
import { regionKey, regionList, regionName } from "./regions";
import { tenantRoles } from "./tenant-roles";

/**
 * The variables that the server reads, except those of providers, under the headings of
 * docs/service-settings.md. `npm run docs --workspace=better-auth-tenant-server` copies them there. `default`
 * is the text for a default that depends on something else.
 */
export const variables = {
	Network: {
		PORT: integer(0, 65_535)
			.prefault("3000")
			.describe("Port to listen on. `0` takes any free port and prints it."),
		HOST: hostName
			.prefault("127.0.0.1")
			.describe("IP address to listen on. `0.0.0.0` listens on all IPv4 addresses."),
		BETTER_AUTH_URL: origin.optional().meta({
			default: "`http://localhost:PORT`",
			description:
				"The URL that clients use, without a path. With `https://`, cookies are sent over https only.",
		}),
		TENANT_DOMAIN: domain
			.optional()
			.describe(
				"A domain such as `example.com`. Then `acme.example.com` is the host of the tenant with the slug `acme` ([more](service-pages.md#tenants-on-their-own-hosts)).",
			),
		TRUSTED_ORIGINS: commaSeparated(trustedOrigin)
			.optional()
			.describe(
				"Origins of your own apps, comma-separated. They apply to all tenants: their pages may call the server (with CORS and cookies), and users of every tenant may be redirected to them. Do not list the app of a tenant: [register it](apps.md) in the tenant. `https://*.example.com` and app schemes such as `myapp://` work.",
			),
		TRUST_PROXY: trustedProxies
			.prefault("0")
			.describe(
				"The number of proxies in front of the server, or a comma-separated list of their IP addresses and ranges ([more](service-operation.md#behind-a-proxy)).",
			),
		MAX_CONCURRENT_REQUESTS: integer(8, 10_000)
			.prefault("64")
			.describe(
				"How many requests may run at the same time before each tenant gets an equal share ([more](service-operation.md#under-too-much-load)).",
			),
	},
	"Request limits": {
		RATE_LIMIT: rate
			.prefault("500/10")
			.describe(
				"Requests of an IP address to one endpoint: 500 in 10 seconds. `off` sets no limit. Some endpoints have [less](service-operation.md#rate-limits).",
			),
		RATE_LIMIT_SIGN_IN: rate
			.prefault("30/60")
			.describe(
				"Failed sign-ins of an IP address in one tenant. Sign-ups, and requests for emails, are counted in the same way, but each for itself.",
			),
		RATE_LIMIT_ACCOUNT: rate
			.prefault("10/60")
			.describe(
				"Failed sign-ins to one account (an email in a tenant), from all IP addresses together.",
			),
		RATE_LIMIT_EMAIL: rate
			.prefault("3/60")
			.describe(
				"Emails of one kind to one address, such as invitations, or emails for a new password.",
			),
		RATE_LIMIT_TENANT_EMAIL: rate
			.prefault("1000/3600")
			.describe("Emails of one kind that a tenant sends, to all addresses together."),
		RATE_LIMIT_AUTHORIZE: rate
			.prefault("300/60")
			.describe("Authorization requests of [apps](apps.md) from one IP address."),
		RATE_LIMIT_TOKEN: rate
			.prefault("1200/60")
			.describe(
				"Requests of an app's backend to `token`, and as many to `revoke`. It sends those of all its users from one IP address.",
			),
		RATE_LIMIT_INTROSPECT: rate
			.prefault("6000/60")
			.describe(
				"Requests of an API to `introspect`, and as many to `userinfo`, from one IP address.",
			),
		CAPTCHA: captchaProvider
			.optional()
			.describe(
				"Asks users of tenants to prove that they are people: `turnstile` (Cloudflare), `hcaptcha` or `recaptcha` (Google, version 2 with a checkbox) ([more](service-operation.md#captcha)).",
			),
		CAPTCHA_SITE_KEY: captchaKey.optional().meta({
			default: "required with `CAPTCHA`",
			description: "The public key of the captcha provider.",
		}),
		CAPTCHA_SECRET_KEY: captchaKey.optional().meta({
			default: "required with `CAPTCHA`",
			description: "The secret key of the captcha provider.",
		}),
	},
	"Secrets and management": {
		BETTER_AUTH_SECRET: secret.optional().meta({
			default: "generated",
			description: "Signs cookies and encrypts stored OAuth credentials. At least 32 characters.",
		}),
		BETTER_AUTH_SECRETS: versionedSecrets
			.optional()
			.describe(
				"Versioned secrets for rotation, newest first: `2:new,1:old`. The first one signs and encrypts. Values that another one, or `BETTER_AUTH_SECRET`, signed or encrypted stay valid ([more](deploy.md#rotating-the-secret)).",
			),
		MANAGEMENT_KEYS: commaSeparated(managementKey).optional().meta({
			default: "one key, generated",
			description:
				"Keys that may do everything, comma-separated, without spaces. Use long, random keys; in production, at least 16 characters. For the start: later, use [operators and keys](service-operators.md) with names.",
		}),
		ADMIN_USER_IDS: commaSeparated(userId)
			.optional()
			.describe(
				"Ids of users of no tenant, comma-separated, who are owners whatever the list of [operators](service-operators.md) says.",
			),
		REQUIRE_OPERATOR_SECOND_FACTOR: flag.optional().meta({
			default: "`true`, unless `BETTER_AUTH_URL` is a URL of this machine",
			description: "Whether operators need a second factor.",
		}),
	},
	Storage: {
		DATA_DIR: z
			.string()
			.prefault("./data")
			.describe(
				"Directory of the embedded database and of generated secrets. A relative path starts at the working directory of the server.",
			),
		DATABASE_URL: databaseUrl.optional().meta({
			default: "`auth.db` in `DATA_DIR`",
			description:
				"`file:` and a path, `postgres://user:password@host/database` or `mysql://user:password@host/database`. A MySQL database must use `utf8mb4`.",
		}),
		DATABASE_POOL_SIZE: integer(2, 500)
			.prefault("10")
			.describe("Maximum number of connections to PostgreSQL or MySQL, per server."),
		REDIS_URL: redisUrl
			.optional()
			.describe(
				"`redis://` or `rediss://`, or [Sentinels or a cluster](high-availability.md#redis). Sessions and verification tokens are then read from Redis, and all servers share their rate limits. Sessions are also kept in the database.",
			),
	},
	"Retention and jobs": {
		AUDIT_RETENTION_DAYS: integer(1, 36_500).optional().meta({
			default: "events are kept",
			description: "After how many days an audit event may be deleted.",
		}),
		SIGN_IN_RETENTION_DAYS: integer(1, 36_500)
			.prefault("90")
			.describe("After how many days an entry of the sign-in log may be deleted."),
		WEBHOOK_RETENTION_DAYS: integer(1, 36_500)
			.prefault("30")
			.describe(
				"After how many days a finished delivery of a webhook may be deleted. It can be replayed until then.",
			),
		CLEAN_UP_INTERVAL_HOURS: integer(0, 8760)
			.prefault("24")
			.describe(
				"How often expired sessions, tokens and invitations, and everything past its retention, are deleted ([more](service-operation.md#jobs)). `0`: only by `tenant-auth clean-up`.",
			),
		DOMAIN_CHECK_INTERVAL_HOURS: integer(0, 8760)
			.prefault("24")
			.describe("How often the DNS records of verified domains are looked up. `0`: never."),
		SAML_METADATA_INTERVAL_HOURS: integer(0, 8760)
			.prefault("24")
			.describe(
				"How often the metadata of SAML identity providers is loaded from its URL ([more](saml.md#replace-a-certificate)). `0`: never.",
			),
		WEBHOOK_INTERVAL_SECONDS: integer(0, 3600)
			.prefault("5")
			.describe(
				"How often waiting events are sent to webhooks, and logout tokens to applications. `0`: never by this server.",
			),
	},
	"Event stream": {
		EVENT_STREAM_URL: streamUrl
			.optional()
			.describe(
				"The URL of a log collector, with its path. It gets all audit events and sign-ins of all tenants ([more](event-stream.md)). Set it on every server.",
			),
		EVENT_STREAM_FORMAT: streamFormat
			.prefault("otlp")
			.describe(
				"`otlp`: OpenTelemetry logs (OTLP over HTTP with JSON). `json`: JSON arrays of events.",
			),
		EVENT_STREAM_HEADERS: streamHeaders
			.optional()
			.describe(
				"Headers of each request, as in `OTEL_EXPORTER_OTLP_HEADERS`: `authorization=Bearer%20token,x-scope=auth`. Values are percent-encoded.",
			),
		EVENT_STREAM_SECRET: streamSecret
			.optional()
			.describe(
				"Signs the requests of `EVENT_STREAM_FORMAT=json` [as webhooks are signed](event-stream.md#json). `whsec_` and 24 to 64 random bytes in Base64.",
			),
		EVENT_STREAM_INTERVAL_SECONDS: integer(0, 3600)
			.prefault("5")
			.describe(
				"How often waiting events are sent to the log collector. `0`: never by this server.",
			),
	},
	Email: {
		SMTP_URL: smtpUrl
			.optional()
			.describe(
				"`smtp://user:password@host:port` or `smtps://…`. Without it, [no email is sent](service-emails.md#without-smtp_url).",
			),
		MAIL_FROM: sender.optional().meta({
			default: "required with `SMTP_URL`",
			description: "Sender of emails: `login@example.com` or `Example <login@example.com>`.",
		}),
		REQUIRE_EMAIL_VERIFICATION: flag
			.prefault("false")
			.describe("Whether users must verify their email before they can sign in."),
		NEW_DEVICE_EMAILS: flag
			.prefault("true")
			.describe(
				"Whether users of tenants get an email when they sign in at a new device ([more](service-emails.md#a-sign-in-at-a-new-device)).",
			),
		SECOND_FACTOR_EMAILS: flag
			.prefault("false")
			.describe(
				"`true` lets users of tenants sign in with a code by email in place of their authenticator app, which is [less safe](service-emails.md#codes-by-email).",
			),
	},
	"Administrators of tenants": {
		TENANT_ADMIN_PAGES: flag
			.prefault("true")
			.describe(
				"Whether `/t/<slug>/admin` has pages for a tenant's own administrators ([more](tenant-admin.md)). `false` closes the pages, and not the endpoints.",
			),
		TENANT_ROLES: tenantRoles
			.optional()
			.describe(
				'More roles for the users of tenants, as JSON: `{"helpdesk":["user:list","user:get"]}` ([more](tenant-admin.md#roles-of-your-own)).',
			),
	},
	Companies: {
		SCIM: flag
			.prefault("false")
			.describe(
				"`true` lets tenants connect a directory such as Okta or Entra ID, which creates, changes and disables their users ([more](scim.md)). `false` rejects every SCIM token.",
			),
		SAML: flag
			.prefault("false")
			.describe(
				"`true` lets the owners of a tenant connect a SAML identity provider, at which the users of the tenant sign in ([more](saml.md)).",
			),
	},
	Regions: {
		REGION: regionName
			.optional()
			.describe("The name of this region, such as `eu` ([more](regions.md))."),
		REGIONS: regionList
			.optional()
			.describe(
				"All regions with the `BETTER_AUTH_URL` of each, comma-separated: `eu=https://eu.example.com,us=https://us.example.com`.",
			),
		REGION_KEY: commaSeparated(regionKey)
			.optional()
			.describe(
				"A secret that all regions share, by which they recognize each other. At least 32 characters. To [replace it](regions.md#replace-the-key), several, comma-separated: the first one is sent, all are accepted.",
			),
	},
	Applications: {
		API_AUDIENCES: commaSeparated(resourceUri)
			.optional()
			.describe(
				"Your APIs, as comma-separated URLs. An application that asks for one as `resource` gets a JWT as access token, with the URL as `aud` ([more](apps.md)).",
			),
		API_SCOPES: commaSeparated(scope)
			.prefault("api")
			.describe("Scopes of your APIs that applications can have, comma-separated."),
		DPOP: flag
			.prefault("false")
			.describe(
				"`true` lets applications bind their tokens to a key ([more](apps.md#tokens-that-are-bound-to-a-key)).",
			),
		SIGNING_KEY_DAYS: integer(1, 3650)
			.prefault("90")
			.describe(
				"How long a tenant's key signs tokens. The next key replaces it, and the old one stays published until its tokens have expired.",
			),
		OFFLINE_ACCESS_DAYS: integer(1, 3650)
			.prefault("30")
			.describe(
				"How many days after the sign-in an application has to send the user to sign in again, however often it has refreshed its tokens ([more](apps.md#what-ends-the-tokens-of-an-application)).",
			),
		ACCESS_TOKEN_MINUTES: integer(1, 1440)
			.prefault("60")
			.describe("How many minutes access tokens are valid."),
		ID_TOKEN_MINUTES: integer(1, 1440)
			.prefault("600")
			.describe("How many minutes ID tokens are valid."),
		BEARER_SESSIONS: flag
			.prefault("false")
			.describe("`true` accepts the token of a session as `Authorization: Bearer` too."),
		TENANT_IN_SESSION_TOKENS: flag
			.optional()
			.describe(
				"`true` ends the tokens of new sessions with the id of their tenant, which is not secret. Then a [sharded database](scaling.md#partitions-by-tenant) looks a session up in one place, and another [region](regions.md) says where a token belongs. Default: `true` with `REGIONS`, otherwise `false`.",
			),
		SESSION_TOKENS: flag
			.prefault("false")
			.describe(
				"`true` opens `GET /api/auth/token`, which makes a JWT of the session for your own APIs.",
			),
		COOKIE_DOMAIN: domain
			.optional()
			.describe(
				"A domain such as `example.com`. Then apps on all hosts below it get the session cookie. Not with `TENANT_DOMAIN`.",
			),
	},
	Providers: {
		ALLOW_PRIVATE_PROVIDER_HOSTS: flag
			.prefault("false")
			.describe(
				"`true` allows http URLs and private IP addresses in the `options` of a tenant's OAuth config, and in URIs of applications to which the service sends requests.",
			),
	},
	"Logs and shutdown": {
		LOG_LEVEL: z
			.string()
			.toLowerCase()
			.pipe(oneOf(["debug", "info", "warn", "error", "silent"]))
			.prefault("info")
			.describe("`debug`, `info`, `warn`, `error` or `silent`."),
		SHUTDOWN_DELAY_SECONDS: integer(0, 300)
			.prefault("0")
			.describe(
				"How long a stopping server still handles requests while `/readyz` returns 503, before it accepts no new connections.",
			),
	},
} satisfies Record<string, Record<string, z.ZodType>>;
