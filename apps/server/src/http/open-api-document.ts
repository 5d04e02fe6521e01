import type { MiddlewareHandler } from "hono";
import type { ServiceConfig } from "../settings/service-config";

/**
 * Keeps the OpenAPI document of Better Auth, which needs tens of milliseconds to build it. It is the
 * same for everybody as long as the process runs, except for the URL of a tenant's own host.
 */
export function openApiDocument({
	tenantHosts,
}: Pick<ServiceConfig, "tenantHosts">): MiddlewareHandler {
	let document: string | null = null;
	return async (c, next) => {
		const { host } = new URL(c.req.url);
		if (tenantHosts && !tenantHosts.isPlatformHost(host)) return next();
		if (document === null) {
			await next();
			if (c.res.ok) document = await c.res.clone().text();
			return;
		}
		return c.body(document, 200, { "content-type": "application/json" });
	};
}
