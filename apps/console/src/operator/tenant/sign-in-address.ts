import { useQuery } from "@tanstack/react-query";
import { getInfo, infoKey } from "../api/service";

/** Where a tenant's users sign in. */
export function useSignInAddress(slug: string): string {
	const { data: info } = useQuery({ queryKey: infoKey, queryFn: getInfo });
	const base = new URL(info?.baseUrl ?? location.origin);
	if (!info?.tenantDomain) return `${base.origin}/t/${slug}`;
	const port = base.port ? `:${base.port}` : "";
	return `${base.protocol}//${slug}.${info.tenantDomain}${port}/`;
}
