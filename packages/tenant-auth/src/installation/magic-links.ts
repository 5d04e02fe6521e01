import type { GenericEndpointContext } from "@better-auth/core";
import { leadToTenantHost } from "../call/context/host-links";

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
