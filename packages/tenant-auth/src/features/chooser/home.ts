import type { GenericEndpointContext } from "@better-auth/core";
import { requireInstance, requireState } from "../../call/context/current-state";
import { findTenantIdOfApp } from "../../call/context/tenant-id";
import { chooserError } from "./chooser-error";

/**
 * The base URL of a call at the app's own host, where no tenant is known. The host alone decides, or the app:
 * a tenant that the client names is not used.
 *
 * @throws APIError `TENANT_CHOOSER_NOT_HERE` at the host of a tenant
 */
export async function requireHome(ctx: GenericEndpointContext): Promise<string> {
	if (!(await isHome(ctx))) throw chooserError("TENANT_CHOOSER_NOT_HERE");
	return ctx.context.baseURL;
}

export async function isHome(ctx: GenericEndpointContext): Promise<boolean> {
	const { options } = requireInstance(ctx.context);
	return (await findTenantIdOfApp(ctx, options)) === null;
}

/** Whether a call came to the host of this tenant. Without hosts of tenants, all share the app's. */
export async function isHomeOf(ctx: GenericEndpointContext, tenantId: string): Promise<boolean> {
	const { options } = requireInstance(ctx.context);
	const named = await findTenantIdOfApp(ctx, options);
	return named === tenantId || (named === null && !options.hosts);
}

/**
 * The base URL of a tenant. It is the host below the app's domain, also if the tenant has a custom one: the
 * app's providers are not for custom domains.
 *
 * @returns `null` if there is no such tenant any more
 */
export async function findBaseURL(
	{ context }: GenericEndpointContext,
	tenantId: string,
): Promise<string | null> {
	const { hosts } = requireInstance(context).options;
	if (!hosts) return context.baseURL;
	const tenant = await requireState(context).readTenant(tenantId);
	return tenant && `${hosts.originOf(tenant.slug)}${new URL(context.baseURL).pathname}`;
}
