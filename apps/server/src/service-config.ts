import { isLoopbackHost } from "@better-auth/core/utils/host";
import type { BetterAuthOptions } from "better-auth";
import type { Secrets } from "./generated-secrets";
import type { Settings } from "./settings";

/** The settings, and what follows from them once the port is known. */
export type ServiceConfig = {
	settings: Settings;
	/** The origin callers see. */
	baseUrl: string;
	/** Further names of the same origin. */
	otherOrigins: string[];
	secrets: Secrets;
	/** Whether to limit how often one address may call; else Better Auth does so in production only. */
	limitsRates: boolean;
	/** Whether nobody but this machine uses the server: then mails that were not sent can be read. */
	isDevelopment: boolean;
	/** What the names of entries in Redis begin with, if not with the usual. */
	redisPrefix?: string;
	/** How passwords are hashed, if not by Better Auth's own scrypt. */
	passwords?: NonNullable<BetterAuthOptions["emailAndPassword"]>["password"];
};

export function serviceConfig(settings: Settings, secrets: Secrets, port: number): ServiceConfig {
	const baseUrl = settings.baseUrl ?? `http://localhost:${port}`;
	const isLocal = isLoopbackHost(new URL(baseUrl).hostname);
	const isProxied = !("hops" in settings.trustedProxies) || settings.trustedProxies.hops > 0;
	return {
		settings,
		baseUrl,
		otherOrigins: otherLoopbackOrigins(baseUrl),
		secrets,
		// Nobody sets NODE_ENV for a server that is started by hand; who can be reached is known.
		limitsRates: !isLoopbackHost(settings.host) || !isLocal || isProxied,
		isDevelopment: isLocal,
	};
}

/** A server on this machine may be called by any of the names of this machine. */
function otherLoopbackOrigins(baseUrl: string): string[] {
	const { protocol, hostname, port } = new URL(baseUrl);
	if (!isLoopbackHost(hostname)) return [];
	return ["localhost", "127.0.0.1", "[::1]"].map(
		(name) => new URL(`${protocol}//${name}:${port}`).origin,
	);
}

/** Everything that no log line may hold. */
export function secretValues({ settings, secrets }: Pick<ServiceConfig, "settings" | "secrets">) {
	const passwordOf = (url: string | null) => {
		const password = url && URL.canParse(url) ? new URL(url).password : "";
		return password ? [password, decodeURIComponent(password)] : [];
	};
	const providerSecrets = Object.values(settings.providers).flatMap((provider) => {
		const secret = provider && "clientSecret" in provider ? provider.clientSecret : null;
		return typeof secret === "string" ? [secret] : [];
	});
	return [
		...(secrets.secret ? [secrets.secret] : []),
		...settings.secrets.map(({ value }) => value),
		...secrets.managementKeys,
		...providerSecrets,
		...passwordOf(settings.redisUrl),
		...passwordOf(settings.mail.smtpUrl),
		...("url" in settings.database ? passwordOf(settings.database.url) : []),
	];
}
