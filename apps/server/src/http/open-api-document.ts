import type { MiddlewareHandler } from "hono";
import type { ServiceConfig } from "../settings/service-config";
import { isOpenIdPath } from "./openid-routes/endpoint-paths";

/**
 * Keeps the OpenAPI document of Better Auth, which needs tens of milliseconds to build it. It is the
 * same for everybody as long as the process runs, except for the URL of a tenant's own host.
 */
export function openApiDocument({
	tenantHosts,
}: Pick<ServiceConfig, "tenantHosts">): MiddlewareHandler {
	let kept: string | null = null;
	return async (c, next) => {
		const { host } = new URL(c.req.url);
		const isKept = !tenantHosts || tenantHosts.isPlatformHost(host);
		if (kept === null || !isKept) {
			await next();
			if (!c.res.ok) return;
			const document = withoutClosedPaths(await c.res.text());
			if (isKept) kept = document;
			c.res = new Response(document, c.res);
			return;
		}
		return c.body(kept, 200, { "content-type": "application/json" });
	};
}

/** The discovery document of a tenant describes its OpenID provider. */
function withoutClosedPaths(text: string): string {
	const document = JSON.parse(text) as { paths: Record<string, unknown> };
	const open = Object.entries(document.paths).filter(([path]) => !isOpenIdPath(path));
	return JSON.stringify({ ...document, paths: Object.fromEntries(open) });
}
