import type { ServiceConfig } from "../settings/service-config";

/** Where a tenant's issuer and its pages are. */
export type Issuers = Pick<ServiceConfig, "baseUrl" | "tenantHosts">;

/**
 * The issuer of a tenant: the `iss` of its tokens. All endpoints of the protocol are below it, and so are
 * the tenant's pages.
 */
export const issuerOf = ({ baseUrl, tenantHosts }: Issuers, slug: string): string =>
	tenantHosts ? tenantHosts.originOf(slug) : `${baseUrl}/t/${slug}`;
