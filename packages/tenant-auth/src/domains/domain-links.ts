import type { AuthContext } from "@better-auth/core";
import type { TenantHosts } from "../context/tenant-hosts";
import { findLoginHost } from "./find-domains";

/**
 * The origin of a tenant's primary domain, where links in its emails lead; `null` if it has none.
 *
 * @param next where the link goes on to, each a path or a URL. If one is another page of the app, the link
 *   must stay at the app: at the custom domain, Better Auth redirects to that domain only.
 */
export async function findLinkOrigin(
	ctx: Pick<AuthContext, "adapter">,
	hosts: TenantHosts | undefined,
	tenantId: string,
	next: readonly unknown[],
): Promise<string | null> {
	if (!hosts?.customDomains) return null;
	const host = await findLoginHost(ctx, tenantId);
	if (host === null) return null;
	const origin = hosts.originOfDomain(host);
	const leadsThere = (url: string) =>
		url.startsWith("/") || (URL.canParse(url) && new URL(url).origin === origin);
	return next.every((url) => typeof url !== "string" || leadsThere(url)) ? origin : null;
}

/** A URL of one of the app's own hosts, at another origin. A call at a custom domain stays there. */
export function moveToOrigin(link: string, origin: string | null, hosts?: TenantHosts): string {
	if (origin === null || !hosts) return link;
	const url = new URL(link);
	return hosts.isOwnHost(url.hostname) ? `${origin}${link.slice(url.origin.length)}` : link;
}
