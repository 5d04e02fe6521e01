import { isLoopbackHost } from "@better-auth/core/utils/host";
import type { BetterAuthOptions } from "better-auth";
import { type TenantHosts, tenantHosts } from "better-auth-tenant";
import { streamSecrets } from "./event-stream";
import type { Secrets } from "./generated-secrets";
import { parseRedisUrl } from "./redis-url";
import type { Settings } from "./settings";

/** The settings, and what follows from them when the port is known. */
export type ServiceConfig = {
	settings: Settings;
	/** The origin that clients use. */
	baseUrl: string;
	/** Other names of the same origin. */
	otherOrigins: string[];
	/** `null` without `TENANT_DOMAIN`. */
	tenantHosts: TenantHosts | null;
	secrets: Secrets;
	/** Otherwise Better Auth limits requests only if `NODE_ENV` is `production`. */
	enableRateLimit: boolean;
	/** Whether only this machine uses the server. Then operators may read emails that were not sent. */
	isDevelopment: boolean;
	/**
	 * How users get emails: by SMTP, or an operator reads them in the outbox. With `none`, everything that
	 * needs an email is switched off.
	 */
	email: "smtp" | "outbox" | "none";
	/** Whether users can get the code of a second step by email. */
	sendsCodes: boolean;
	/** Whether operators need a second factor. */
	requireSecondFactor: boolean;
	/** Prefix of keys in Redis, for tests. */
	redisPrefix?: string;
	/** Replaces the server of the captcha provider, for tests. */
	captchaVerifyUrl?: string;
	/** Whether the database is a copy of a migrated one, for tests. It is neither migrated nor checked. */
	isMigrated?: boolean;
	/** How much work the password of a tenant's file costs, for tests. */
	fileLogN?: number;
	/** How long a request may wait for its stores, for tests. */
	storeTimeMs?: number;
	/** Replaces the password hash of Better Auth, for tests. */
	passwords?: NonNullable<BetterAuthOptions["emailAndPassword"]>["password"];
};

export function serviceConfig(settings: Settings, secrets: Secrets, port: number): ServiceConfig {
	const { tenantDomain, trustedProxies } = settings;
	const baseUrl = settings.baseUrl ?? `http://localhost:${port}`;
	const isLocal = isLoopbackHost(new URL(baseUrl).hostname);
	const email = settings.email.smtpUrl ? "smtp" : isLocal ? "outbox" : "none";
	const isBehindProxy = !("hops" in trustedProxies) || trustedProxies.hops > 0;
	return {
		settings,
		baseUrl,
		otherOrigins: loopbackOrigins(baseUrl),
		tenantHosts: tenantDomain ? hostsBelow(tenantDomain, baseUrl) : null,
		secrets,
		// NODE_ENV is often not set on a server that other machines can reach.
		enableRateLimit: !isLoopbackHost(settings.host) || !isLocal || isBehindProxy,
		isDevelopment: isLocal,
		email,
		sendsCodes: settings.secondFactorEmails && email !== "none",
		requireSecondFactor: settings.requireSecondFactor ?? !isLocal,
	};
}

/** Tenants have their hosts below the domain, on the port of the server's own URL. */
export function hostsBelow(domain: string, baseUrl: string): TenantHosts {
	const { protocol, port, host } = new URL(baseUrl);
	return tenantHosts({
		domain: port ? `${domain}:${port}` : domain,
		protocol: protocol === "http:" ? "http" : "https",
		platformHosts: [host, ...loopbackOrigins(baseUrl).map((origin) => new URL(origin).host)],
	});
}

/** A client on this machine may use any of its names. */
function loopbackOrigins(baseUrl: string): string[] {
	const { protocol, hostname, port } = new URL(baseUrl);
	if (!isLoopbackHost(hostname)) return [];
	return ["localhost", "127.0.0.1", "[::1]"].map(
		(name) => new URL(`${protocol}//${name}:${port}`).origin,
	);
}

/** Every value that must not appear in a log line. */
export function secretValues({ settings, secrets }: Pick<ServiceConfig, "settings" | "secrets">) {
	const passwordOf = (url: string | null) => {
		const password = url && URL.canParse(url) ? new URL(url).password : "";
		return password ? [password, decodeURIComponent(password)] : [];
	};
	const redisPasswords = (url: string | null) => {
		const location = url && parseRedisUrl(url);
		return location && typeof location !== "string" ? location.passwords : [];
	};
	const providerSecrets = Object.values(settings.providers).flatMap((provider) => {
		const secret = provider && "clientSecret" in provider ? provider.clientSecret : null;
		return typeof secret === "string" ? [secret] : [];
	});
	return [
		...(secrets.secret ? [secrets.secret] : []),
		...settings.secrets.map(({ value }) => value),
		...secrets.managementKeys,
		...(settings.regions?.keys ?? []),
		...(settings.captcha ? [settings.captcha.secretKey] : []),
		...streamSecrets(settings.eventStream),
		...providerSecrets,
		...redisPasswords(settings.redisUrl),
		...passwordOf(settings.email.smtpUrl),
		...("url" in settings.database ? passwordOf(settings.database.url) : []),
	];
}
