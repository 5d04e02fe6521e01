import {
	type ChangeFacts,
	type CustomHosts,
	defineTenantPlugin,
	type TenantPart,
} from "../../call/port/tenant-plugin";
import { requireKnownOptions } from "../../known-options";
import { requireCount } from "../../options";
import {
	addTenantDomain,
	listTenantDomains,
	removeTenantDomain,
	updateTenantDomain,
	verifyTenantDomain,
} from "./endpoints";
import { TENANT_DOMAINS_ERROR_CODES } from "./error-codes";
import { DOMAIN_EVENTS } from "./event-types";
import {
	findLoginHost,
	findTenantOfEmailDomain,
	findTenantOfHost,
	listVerifiedDomains,
} from "./find-domains";
import { HAND_OVER_PATH, handOverFlow } from "./hand-over";
import { tenantHandOver } from "./hand-over-endpoint";
import { DOMAINS_PLUGIN, type DomainSettings, type TenantDomainsOptions } from "./options";
import { returnToPlatform } from "./platform-callback";
import { askTenantDomain, discoverTenant } from "./public-endpoints";
import { DOMAIN_ROUTES } from "./routes";
import { domainsSchema } from "./schema";

declare module "@better-auth/core" {
	interface BetterAuthPluginRegistry<AuthOptions, Options> {
		"tenant-auth-domains": { creator: typeof tenantDomains };
	}
}

const changed = (type: keyof typeof DOMAIN_EVENTS) => ({
	grant: "owner" as const,
	event: ({ detail }: ChangeFacts) => ({ type, data: { domain: String(detail.host) } }),
});

const DOMAIN_ACTIONS = {
	"domain:add": changed("domain.added"),
	"domain:list": "owner",
	"domain:verify": changed("domain.verified"),
	"domain:update": changed("domain.updated"),
	"domain:remove": changed("domain.removed"),
	// The server does it: the record is gone, or another tenant has verified the domain.
	"domain:lost": { ...changed("domain.lost"), grant: "app" },
} as const;

/** What callers may do with domains. */
export type DomainAction = keyof typeof DOMAIN_ACTIONS;

/** With this type, an app can export the type of the plugin. */
const hosts: CustomHosts = {
	findTenant: findTenantOfHost,
	findLinkHost: findLoginHost,
	adaptProvider: returnToPlatform,
	beforeCallback: handOverFlow,
};

const emailDomainOwner: NonNullable<TenantPart["emailDomainOwner"]> = findTenantOfEmailDomain;

/**
 * Domains of tenants, which they verify by a DNS record: host names to sign in at, and domains of their
 * emails. The app runs `recheckDomains()` once a day.
 *
 * @example
 * ```ts
 * const hosts = tenantHosts({ domain: "example.com", customDomains: true });
 *
 * betterAuth({ baseURL: hosts.baseURL, plugins: [tenantAuth({ hosts }), tenantDomains()] });
 * ```
 */
export const tenantDomains = (given: TenantDomainsOptions = {}) => {
	requireKnownOptions("tenantDomains", given, {
		resolveTxt: true,
		graceDays: true,
		isPublicSuffix: true,
		schema: true,
	});
	const graceDays = requireCount("graceDays", given.graceDays ?? 3, "tenantDomains");
	const options: DomainSettings = { ...given, graceDays };
	return defineTenantPlugin({
		id: DOMAINS_PLUGIN,
		schema: domainsSchema(given.schema),
		endpoints: {
			addTenantDomain,
			listTenantDomains,
			verifyTenantDomain,
			updateTenantDomain,
			removeTenantDomain,
			askTenantDomain,
			discoverTenant,
			tenantHandOver,
		},
		tenant: {
			requires: ["tenant-auth"],
			creator: "tenantDomains",
			actions: DOMAIN_ACTIONS,
			events: DOMAIN_EVENTS,
			tables: { tenantDomain: "explicit" },
			hosts,
			emailDomains: (ctx, tenantId) => listVerifiedDomains(ctx, tenantId, "email"),
			emailDomainOwner,
			signInPaths: { [HAND_OVER_PATH]: "social" },
		},
		rateLimit: [
			// Stricter than Better Auth's default: nobody needs to look up many emails.
			{ pathMatcher: (path) => path === DOMAIN_ROUTES.discoverTenant.path, window: 60, max: 20 },
		],
		options,
		$ERROR_CODES: TENANT_DOMAINS_ERROR_CODES,
	});
};
