import { useQuery } from "@tanstack/react-query";
import { getInfo, infoKey, type ServiceInfo } from "../api/service";

type TenantAddresses = {
	/** Where its users sign in. */
	signIn: string;
	/** Its own host, if it has one: then that is what its pages are on and providers send back to. */
	ownOrigin: string | null;
	/** The service's own. */
	serviceOrigin: string;
};

export function addressesOf(
	slug: string,
	{ baseUrl, tenantDomain }: Pick<ServiceInfo, "baseUrl" | "tenantDomain">,
): TenantAddresses {
	const { origin, protocol, port } = new URL(baseUrl);
	if (!tenantDomain)
		return { signIn: `${origin}/t/${slug}`, ownOrigin: null, serviceOrigin: origin };
	const ownOrigin = `${protocol}//${slug}.${tenantDomain}${port ? `:${port}` : ""}`;
	return { signIn: `${ownOrigin}/`, ownOrigin, serviceOrigin: origin };
}

/** `undefined` while the service has not said where it is. */
export function useTenantAddresses(slug: string): TenantAddresses | undefined {
	const { data: info } = useQuery({ queryKey: infoKey, queryFn: getInfo });
	return info && addressesOf(slug, info);
}
