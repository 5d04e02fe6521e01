import type { Tenant } from "better-auth-tenant";
import type { ServiceConfig } from "../service-config";
import type { TenantDomain } from "../tenant-domain";

export type TenantPages = ReturnType<typeof tenantPages>;

/** Tenants' own pages, as the links in mails lead to them. */
export function tenantPages(
	{ baseUrl, otherOrigins }: Pick<ServiceConfig, "baseUrl" | "otherOrigins">,
	tenants: Pick<TenantDomain, "originOf"> | null,
) {
	const ownOrigins = [baseUrl, ...otherOrigins];
	return {
		/** A link on the server's own host may not lead to a tenant's, but to the page that leads there. */
		placeFor: ({ slug }: Tenant, link: URL): string =>
			link.origin === tenants?.originOf(slug) ? link.origin : `${baseUrl}/t/${slug}`,

		/** Whether an address, as it stands in a link, is among the pages of any other tenant. */
		isAnothers: (address: string, link: URL, tenant: Tenant | null): boolean => {
			if (!URL.canParse(address, link.href)) return false;
			const { origin, pathname } = new URL(address, link);
			const [, slug] = /^\/t\/([^/]*)/.exec(pathname) ?? [];
			return ownOrigins.includes(origin) && slug !== undefined && slug !== tenant?.slug;
		},
	};
}
