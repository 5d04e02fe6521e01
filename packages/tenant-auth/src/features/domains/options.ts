import type { AuthContext } from "@better-auth/core";
import { pluginOptions } from "../../call/port/plugin-options";
import type { TenantDomainsSchemaNames } from "./schema";

export interface TenantDomainsOptions {
	/**
	 * Looks up the TXT records of a name, as `resolveTxt` of `node:dns/promises` does: for each record its
	 * texts. For a name without records, return an empty list.
	 *
	 * @default `resolveTxt` of the runtime
	 */
	resolveTxt?: (name: string) => Promise<string[][]>;
	/**
	 * For how many days a domain stays verified after its record is gone. `recheckDomains()` finds out.
	 *
	 * @default 3
	 */
	graceDays?: number;
	/**
	 * Whether everybody can register names below a host name, as below `co.uk` or `github.io`. No tenant
	 * can add such a name. The most common ones, such as `co.uk` and `com.au`, are refused without it. If
	 * anybody can create a tenant in your app, use a library with the Public Suffix List.
	 *
	 * @param host in lowercase and in ASCII
	 * @default only names of a usual form are refused
	 * @example
	 * ```ts
	 * import { getPublicSuffix } from "tldts";
	 *
	 * isPublicSuffix: (host) => getPublicSuffix(host, { allowPrivateDomains: true }) === host
	 * ```
	 */
	isPublicSuffix?: (host: string) => boolean;
	/** Other names for the table and its columns. */
	schema?: TenantDomainsSchemaNames;
}

/** The options with their defaults. */
export type DomainSettings = TenantDomainsOptions & { graceDays: number };

export const DOMAINS_PLUGIN = "tenant-auth-domains";

export const domainSettings = (ctx: Pick<AuthContext, "getPlugin">): DomainSettings =>
	pluginOptions(ctx, DOMAINS_PLUGIN, "tenantDomains");
