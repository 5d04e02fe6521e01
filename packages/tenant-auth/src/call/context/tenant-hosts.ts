import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { requireKnownOptions } from "../../known-options";
import { SLUG_PATTERN } from "../../rules";
import type { CustomHosts } from "../port/tenant-plugin";

/**
 * Which tenant a request is for: its id, or its slug. `false` refuses the request with 404. `null` and
 * `undefined` have no opinion.
 */
export type TenantResolution = string | { slug: string } | false | null | undefined;

/** What a host says about the tenant: also a host name that a plugin may know. */
export type HostResolution = TenantResolution | { hostname: string };

export interface TenantHostsOptions {
	/**
	 * The domain below which each tenant has its host: with `example.com`, the tenant with the slug
	 * `acme` has `acme.example.com`. The domain itself belongs to the platform. In development, add the
	 * port: `localhost:3000`.
	 */
	domain: string;
	/**
	 * Other hosts of the platform, such as `www.example.com`. If the domain has a port, they need it
	 * too. Links that are made without a request use the first one.
	 *
	 * @default []
	 */
	platformHosts?: string[];
	/**
	 * The protocol that browsers use, also if a proxy ends TLS.
	 *
	 * @default "http" for localhost and names below it, otherwise "https"
	 */
	protocol?: "http" | "https";
	/**
	 * Whether tenants can have domains of their own, such as `login.acme.com`. It needs a plugin that finds
	 * the tenant of a host name: `tenantDomains()` of `better-auth-tenant/domains`, where tenants verify
	 * their domains, or one of your own.
	 *
	 * There, users sign in with passwords, magic links and so on, and with the tenant's own OAuth clients.
	 * Your app's own social providers are not offered, unless you set `appProviders`: read
	 * `docs/domains.md` first.
	 *
	 * @default false
	 */
	customDomains?: boolean | CustomDomainOptions;
	/**
	 * Whether social sign-ins at the hosts of tenants come back to one callback URL, that of the platform. You
	 * register one URL at each provider, however many tenants there are. Otherwise each host has its own.
	 * It needs `tenantDomains()` of `better-auth-tenant/domains`, which hands the sign-in over to the host.
	 *
	 * @default false
	 */
	sharedCallback?: boolean;
	/**
	 * For domains that your app stores itself, in place of `customDomains`: finds the tenant of a custom
	 * domain, such as `login.acme.com`. It is called for each request to a host that is neither below the
	 * domain nor a host of the platform. Return only domains whose owner you have verified. If it finds
	 * nothing, the request gets 404.
	 *
	 * @param hostname in lowercase, without the port
	 * @default there are no custom domains
	 * @example
	 * ```ts
	 * findTenant: async (hostname) => (await customDomains.get(hostname))?.tenantId
	 * ```
	 */
	findTenant?: (hostname: string) => TenantResolution | Promise<TenantResolution>;
}

export interface CustomDomainOptions {
	/**
	 * Whether your app's own social providers can be used at custom domains. Somebody who controls the DNS of
	 * a domain can then lead anybody through a sign-in with your OAuth client, and gets the token that the
	 * provider issues to your app. Allow it only if you trust every tenant with that.
	 *
	 * @default false
	 */
	appProviders?: boolean;
}

/** What {@link tenantHosts} returns, for the option `hosts`. */
export interface TenantHosts {
	/** For `betterAuth({ baseURL })`: links, redirect URIs and cookies use the host of the request. */
	readonly baseURL: {
		allowedHosts: string[];
		protocol: "http" | "https";
		fallback: string;
	};
	/** The names of platform hosts below the domain. No tenant may have them as its slug. */
	readonly reservedSlugs: readonly string[];
	/** The origin of a tenant's host below the domain. */
	originOf(slug: string): string;
	/** The slug in a host below the domain; `null` for every other host. */
	slugOf(host: string): string | null;
	isPlatformHost(host: string): boolean;
	/** Whether a name without a port is one of the platform or below the domain. */
	isOwnHost(hostname: string): boolean;
	/** Whether a plugin is asked for other host names than those below the domain. */
	readonly customDomains: boolean;
	/** Whether social sign-ins at hosts below the domain come back to the callback of the platform. */
	readonly sharedCallback: boolean;
	/** Whether the app's own social providers can be used at a host. The name has no port. */
	admitsAppProviders(hostname: string): boolean;
	/** The origin of a custom domain. It has the port of the platform, if that has one. */
	originOfDomain(hostname: string): string;
	/** What a host says about the tenant, with the meaning of `resolveTenantId`. */
	resolve(host: string): HostResolution | Promise<HostResolution>;
	/** A host as URLs have it: in lowercase, without the default port. `null` if it is not a host. */
	normalize(host: string): string | null;
}

/**
 * Tenants by host name: `acme.example.com` is the host of the tenant with the slug `acme`.
 *
 * - The host decides the tenant, whatever header, body or query name, also in `auth.api` if the call
 *   passes the `headers` of the request. A host without a tenant gets 404 `TENANT_NOT_FOUND`.
 * - Only the tenant's own pages may send requests with its cookies, and `callbackURL`, `redirectTo` and
 *   so on lead to the host that was called. Your `trustedOrigins` are allowed at every host.
 * - `x-forwarded-host` is used only with Better Auth's `advanced.trustedProxyHeaders`.
 *
 * @example
 * ```ts
 * const hosts = tenantHosts({ domain: "example.com" });
 *
 * export const auth = betterAuth({
 *   baseURL: hosts.baseURL,
 *   plugins: [tenantAuth({ hosts })],
 * });
 * ```
 */
export function tenantHosts(options: TenantHostsOptions): TenantHosts {
	requireKnownOptions("tenantHosts", options, {
		domain: true,
		platformHosts: true,
		protocol: true,
		customDomains: true,
		sharedCallback: true,
		findTenant: true,
	});
	const protocol =
		options.protocol ?? (/(^|\.)localhost(:\d+)?$/i.test(options.domain) ? "http" : "https");
	const normalize = (host: string) => findNormalHost(host, protocol);
	const requireHost = (host: string) => {
		const found = typeof host === "string" ? normalize(host) : null;
		if (found) return found;
		throw new BetterAuthError(
			`tenantHosts: ${JSON.stringify(host)} is not a host. Write it without a protocol and a path, such as example.com or localhost:3000.`,
		);
	};
	const domain = requireHost(options.domain);
	if (isIpAddress(domain)) {
		throw new BetterAuthError(
			`tenantHosts: ${domain} is an IP address. Use a domain, because tenants get names below it.`,
		);
	}
	const listed = (options.platformHosts ?? []).map(requireHost);
	const platform = new Set([...listed, domain]);
	const suffix = `.${domain}`;
	const labelOf = (host: string) => (host.endsWith(suffix) ? host.slice(0, -suffix.length) : null);
	const originOf = (host: string) => `${protocol}://${host}`;
	const { findTenant } = options;
	const customDomains = Boolean(options.customDomains ?? false);
	const { appProviders = false } = Object(options.customDomains) as CustomDomainOptions;
	if (findTenant && customDomains) {
		throw new BetterAuthError("tenantHosts: use either customDomains or findTenant, not both.");
	}
	const { port: platformPort, hostname: domainName } = new URL(originOf(domain));

	const isOwnHost = (hostname: string) =>
		[domain, ...listed].some((own) => hostname === new URL(originOf(own)).hostname) ||
		hostname.endsWith(`.${domainName}`);

	/** The part before the domain, even if it cannot be a slug. */
	function findLabel(host: string): string | null {
		const normal = normalize(host);
		return normal === null || platform.has(normal) ? null : labelOf(normal);
	}

	async function resolveCustomDomain(host: string): Promise<HostResolution> {
		const { hostname, port } = new URL(originOf(host));
		// A link with another port would lead to another server.
		if (isIpAddress(host) || port !== platformPort) return false;
		if (customDomains) return { hostname };
		if (!findTenant) return false;
		// Also for an empty text: only the platform's own hosts may have no opinion.
		return (await findTenant(hostname)) || false;
	}

	return {
		baseURL: {
			// Better Auth asks before we can look for a custom domain. Unknown ones are refused later.
			allowedHosts: findTenant || customDomains ? ["*"] : [...platform, `*${suffix}`],
			protocol,
			fallback: originOf(listed[0] ?? domain),
		},
		reservedSlugs: listed.map(labelOf).filter((label) => label !== null),
		originOf: (slug) => originOf(`${slug}${suffix}`),
		slugOf: (host) => {
			const label = findLabel(host);
			return label !== null && SLUG_PATTERN.test(label) ? label : null;
		},
		isPlatformHost: (host) => platform.has(normalize(host) ?? ""),
		isOwnHost,
		admitsAppProviders: (hostname) => !customDomains || appProviders || isOwnHost(hostname),
		customDomains,
		sharedCallback: options.sharedCallback === true,
		originOfDomain: (hostname) => originOf(platformPort ? `${hostname}:${platformPort}` : hostname),
		resolve: (host) => {
			const normal = normalize(host);
			// What is not a host must not become the platform.
			if (normal === null) return false;
			if (platform.has(normal)) return null;
			const label = labelOf(normal);
			if (label === null) return resolveCustomDomain(normal);
			return SLUG_PATTERN.test(label) ? { slug: label } : false;
		},
		normalize,
	};
}

/** DNS names have at most 253 characters. */
const MAX_HOST_LENGTH = 253 + ":65535".length;

/**
 * Names of ASCII letters, and IP addresses. Not a trailing dot, which makes another host for cookies,
 * and nothing that the URL parser would decode into another name.
 */
const HOST = /^(?:[a-z\d-]+(?:\.[a-z\d-]+)*|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

function findNormalHost(host: string, protocol: string): string | null {
	if (host.length > MAX_HOST_LENGTH || !HOST.test(host)) return null;
	const url = `${protocol}://${host}`;
	return URL.canParse(url) ? new URL(url).host : null;
}

/** The URL parser writes every IPv4 address with four numbers. */
const isIpAddress = (host: string) => host.startsWith("[") || /^(\d+\.){3}\d+(:|$)/.test(host);

/**
 * The host that a call came by, found as Better Auth finds it for its base URL; `null` for server code
 * that passes none.
 */
export function findHost({ request, headers, context }: GenericEndpointContext): string | null {
	const sent = request?.headers ?? headers;
	// Without a proxy that sets it, every client could choose its tenant.
	const trustsProxy = context.options.advanced?.trustedProxyHeaders === true;
	const forwarded = trustsProxy ? sent?.get("x-forwarded-host") : null;
	return forwarded || sent?.get("host") || (request ? new URL(request.url).host : null);
}

/** Whether the app's own social providers can be used at the host of a call. */
export const admitsAppProviders = (
	{ baseURL }: Pick<AuthContext, "baseURL">,
	hosts: TenantHosts | undefined,
): boolean =>
	// Server code that passes no headers calls no host.
	!hosts || baseURL === "" || hosts.admitsAppProviders(new URL(baseURL).hostname);

/** What finds the tenants of other hosts than those below the domain, if the app allows such hosts. */
export function requireCustomHosts(
	hosts: TenantHosts | undefined,
	ofPlugin: CustomHosts | null,
): CustomHosts | null {
	if (hosts?.sharedCallback && !ofPlugin?.beforeCallback) {
		throw new BetterAuthError(
			"tenantAuth: with tenantHosts({ sharedCallback }), a plugin must hand sign-ins over to the host of their tenant. Add tenantDomains() of better-auth-tenant/domains.",
		);
	}
	if (!hosts?.customDomains) return null;
	if (ofPlugin) return ofPlugin;
	throw new BetterAuthError(
		"tenantAuth: with tenantHosts({ customDomains }), a plugin must find the tenant of a host name. Add tenantDomains() of better-auth-tenant/domains.",
	);
}

/** What the host of a call says about its tenant, with the meaning of `resolveTenantId`. */
export function resolveByHost(
	ctx: GenericEndpointContext,
	hosts: TenantHosts,
): HostResolution | Promise<HostResolution> {
	const host = findHost(ctx);
	if (host === null) return null;
	// Links and cookies use Better Auth's base URL. If it were that of another host, a token would be
	// sent there.
	if (hosts.normalize(host) !== new URL(ctx.context.baseURL).host) return false;
	return hosts.resolve(host);
}
