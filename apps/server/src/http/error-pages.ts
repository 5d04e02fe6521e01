import type { Tenant, TenantHosts } from "better-auth-tenant";
import { basePath, ERROR_PAGE } from "../auth";
import { currentRequest } from "../monitoring/request-record";

/** What a person opens: links of emails, and the URLs that a provider sends people back to. */
const OPENED = new RegExp(
	`^${basePath}/(verify-email|reset-password/[^/]+|delete-user/callback|magic-link/verify|(tenant/)?callback/[^/]+|tenant/sign-in-link|tenant/hand-over|error)$`,
);

/**
 * Sends people to an error page, where Better Auth responds with JSON. If the tenant is known, it is the
 * tenant's own page. Programs still get the response as it is.
 */
export function errorPages(
	tenantHosts: TenantHosts | null,
	findTenant: (id: string) => Promise<Tenant | null>,
) {
	/** On a tenant's own host, the page of the service is the tenant's. */
	const findBase = async (request: Request): Promise<string> => {
		const tenantId = currentRequest()?.tenantId;
		if (!tenantId || tenantHosts?.slugOf(new URL(request.url).host)) return "";
		const tenant = await findTenant(tenantId).catch(() => null);
		return tenant ? `/t/${tenant.slug}` : "";
	};
	return async (request: Request, response: Response): Promise<Response> => {
		if (!isOpenedByPerson(request)) return response;
		const error = (await errorIn(response)) ?? errorOfRedirect(response);
		if (!error) return response;
		const headers = new Headers(response.headers);
		for (const name of ["content-type", "content-length"]) headers.delete(name);
		headers.set("location", `${await findBase(request)}${ERROR_PAGE}?${error}`);
		return new Response(null, { status: 302, headers });
	};
}

const isOpenedByPerson = ({ method, url, headers }: Request): boolean =>
	method === "GET" &&
	OPENED.test(new URL(url).pathname) &&
	(headers.get("accept") ?? "").includes("text/html");

async function errorIn(response: Response): Promise<URLSearchParams | null> {
	const isJson = response.headers.get("content-type")?.includes("application/json");
	if (response.status < 400 || !isJson) return null;
	const body: unknown = await response
		.clone()
		.json()
		.catch(() => null);
	const { code }: { code?: unknown } = Object(body);
	return new URLSearchParams({ error: typeof code === "string" ? code : "unknown" });
}

/** A redirect to the error page that names no tenant. */
function errorOfRedirect({ status, headers }: Response): URLSearchParams | null {
	const location = headers.get("location") ?? "";
	if (status !== 302 || !location.startsWith(`${ERROR_PAGE}?`)) return null;
	return new URLSearchParams(location.slice(ERROR_PAGE.length + 1));
}
