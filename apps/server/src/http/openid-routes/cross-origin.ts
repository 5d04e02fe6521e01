import type { AuthContext } from "better-auth";
import { runInTenant } from "better-auth-tenant";
import type { Context } from "hono";
import type { Auth } from "../../auth";
import { allowedOriginsOf, type ClientRow } from "../../openid-provider/applications/application";
import { serviceClients, tenantClients } from "../../openid-provider/applications/store";
import { fillPlaceholder } from "../../openid-provider/applications/tenant-placeholder";

/** `id` is `null` if there is no tenant with this slug. */
type Tenant = { id: string | null; slug: string };

/** Handles a request, and lets pages of the tenant's applications read the response. */
export type HandleCrossOrigin = (
	c: Context,
	tenant: Tenant,
	handle: () => Promise<Response>,
) => Promise<Response>;

const MAX_AGE_SECONDS = "600";

/**
 * Lets pages of the origins that a tenant's applications allow call the endpoints of this tenant, without
 * cookies (https://fetch.spec.whatwg.org/#http-cors-protocol). The applications of the service are those of
 * every tenant: they can also read that there is no such tenant. Other pages cannot, as they cannot read
 * the responses of a tenant.
 */
export function crossOriginHandler(auth: Auth): HandleCrossOrigin {
	return async (c, tenant, handle) => {
		const origin = c.req.header("origin");
		const isPreflight = c.req.method === "OPTIONS";
		const original = isPreflight ? new Response(null, { status: 204 }) : await handle();
		const response = new Response(original.body, original);
		response.headers.append("vary", "Origin");
		if (!origin || !(await isAllowed(auth, tenant, origin))) return response;
		response.headers.set("access-control-allow-origin", origin);
		response.headers.set(
			"access-control-expose-headers",
			"www-authenticate, retry-after, dpop-nonce",
		);
		if (isPreflight) {
			response.headers.set("access-control-allow-methods", "GET, POST");
			response.headers.set("access-control-allow-headers", "authorization, content-type, dpop");
			response.headers.set("access-control-max-age", MAX_AGE_SECONDS);
		}
		return response;
	};
}

async function isAllowed(auth: Auth, tenant: Tenant, origin: string): Promise<boolean> {
	// Its type depends on the options of this service.
	const context = (await auth.$context) as object as AuthContext;
	const isNamedBy = (row: ClientRow) => {
		if (row.disabled) return false;
		return allowedOriginsOf(row).some((one) => fillPlaceholder(one, tenant.slug) === origin);
	};
	const own = () => tenantClients(context).list();
	const rows = tenant.id ? await runInTenant(auth, tenant.id, own, { allowSuspended: true }) : [];
	return rows.some(isNamedBy) || (await serviceClients(context).list()).some(isNamedBy);
}
