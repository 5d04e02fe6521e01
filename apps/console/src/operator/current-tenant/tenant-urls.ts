import { useQuery } from "@tanstack/react-query";
import { useApi } from "../api/context";

export type TenantUrls = {
	/** The page on which the tenant's users sign in. */
	signIn: string;
	/** The tenant as an OpenID provider. The endpoints of the protocol are below it. */
	issuer: string;
	/** The tenant's own host, if it has one. Its pages are there and providers redirect to it. */
	tenantOrigin: string | null;
	serviceOrigin: string;
};

type Service = { baseUrl: string; tenantDomain: string | null };

export function tenantUrls(slug: string, { baseUrl, tenantDomain }: Service): TenantUrls {
	const { origin, protocol, port } = new URL(baseUrl);
	if (!tenantDomain) {
		const signIn = `${origin}/t/${slug}`;
		return { signIn, issuer: signIn, tenantOrigin: null, serviceOrigin: origin };
	}
	const tenantOrigin = `${protocol}//${slug}.${tenantDomain}${port ? `:${port}` : ""}`;
	return { signIn: `${tenantOrigin}/`, issuer: tenantOrigin, tenantOrigin, serviceOrigin: origin };
}

/** `undefined` until the service info has loaded. */
export function useTenantUrls(slug: string): TenantUrls | undefined {
	const { serviceInfoQuery } = useApi();
	const { data: info } = useQuery(serviceInfoQuery);
	return info && tenantUrls(slug, info);
}
