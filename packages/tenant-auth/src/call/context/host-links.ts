import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { requireInstance } from "./current-state";

/**
 * A link in an email of a tenant, at the tenant's own host name if it has one. A call at such a host stays
 * there.
 *
 * @param next where the link goes on to, each a path or a URL. If one is another page of the app, the link
 *   must stay at the app: at the tenant's host, Better Auth redirects to that host only.
 */
export async function leadToTenantHost(
	ctx: AuthContext,
	tenantId: string,
	link: string,
	next: readonly unknown[],
): Promise<string> {
	const { customHosts, options } = requireInstance(ctx);
	const host = (await customHosts?.findLinkHost(ctx, tenantId)) ?? null;
	if (!options.hosts || host === null) return link;
	const url = new URL(link);
	const origin = options.hosts.originOfDomain(host);
	const leadsThere = (target: string) =>
		target.startsWith("/") || (URL.canParse(target) && new URL(target).origin === origin);
	const staysAtHost = next.every((target) => typeof target !== "string" || leadsThere(target));
	return staysAtHost && options.hosts.isOwnHost(url.hostname)
		? `${origin}${link.slice(url.origin.length)}`
		: link;
}

/**
 * Lets a magic link lead to the tenant's own host name, as the links of core do.
 *
 * The plugin makes the link from the base URL of the call, and passes it to a callback of the app, which
 * is not ours to replace. So the call gets another base URL. The endpoint uses it for nothing else.
 */
export async function leadMagicLink(
	{ context, body }: GenericEndpointContext,
	tenantId: string | null,
): Promise<void> {
	if (tenantId === null) return;
	const { callbackURL, newUserCallbackURL, errorCallbackURL } = Object(body);
	const next = [callbackURL, newUserCallbackURL, errorCallbackURL];
	context.baseURL = await leadToTenantHost(context, tenantId, context.baseURL, next);
}
