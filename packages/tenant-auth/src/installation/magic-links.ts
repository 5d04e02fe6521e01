import type { GenericEndpointContext } from "@better-auth/core";
import type { TenantHosts } from "../context/tenant-hosts";
import { findLinkOrigin, moveToOrigin } from "../domains/domain-links";

/**
 * Lets a magic link lead to the tenant's primary domain, as the links of core do.
 *
 * The plugin makes the link from the base URL of the call, and passes it to a callback of the app, which
 * is not ours to replace. So the call gets another base URL. The endpoint uses it for nothing else.
 */
export async function leadToDomain(
	{ context, body }: GenericEndpointContext,
	hosts: TenantHosts | undefined,
	tenantId: string | null,
): Promise<void> {
	if (tenantId === null) return;
	const { callbackURL, newUserCallbackURL, errorCallbackURL } = Object(body);
	const next = [callbackURL, newUserCallbackURL, errorCallbackURL];
	const origin = await findLinkOrigin(context, hosts, tenantId, next);
	if (origin) context.baseURL = moveToOrigin(context.baseURL, origin, hosts);
}
