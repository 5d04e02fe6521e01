import type { MiddlewareHandler } from "hono";
import type { ServiceConfig } from "./service-config";
import { tenantDomain } from "./tenant-domain";

/**
 * Better Auth trusts every host of the tenants' domain at every other. A browser sends a tenant's
 * cookies along with what a page of another tenant sends, for they are of one site: such a page must
 * not act on this host.
 */
export function refuseOtherTenantsPages({ settings, baseUrl }: ServiceConfig): MiddlewareHandler {
	const tenants = settings.tenantDomain ? tenantDomain(settings.tenantDomain, baseUrl) : null;
	return async (c, next) => {
		const origin = c.req.header("origin");
		if (tenants && origin && URL.canParse(origin)) {
			const from = tenants.slugOf(new URL(origin).host);
			if (from !== null && from !== tenants.slugOf(new URL(c.req.url).host)) {
				return c.json({ code: "INVALID_ORIGIN", message: "Invalid origin" }, 403);
			}
		}
		await next();
	};
}
