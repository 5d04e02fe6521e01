import type { BetterAuthClientPlugin } from "@better-auth/core";
import { TENANT_AUTH_ERROR_CODES } from "./error-codes";
import type { tenantAuth } from "./plugin";
import { ROUTES } from "./routes";

type TenantId = string | null | undefined;

export interface TenantAuthClientOptions {
	/**
	 * The tenant that every call of this client names: a value, or a function that runs before each
	 * call. If it is empty, no header is sent.
	 *
	 * @example
	 * ```ts
	 * tenantAuthClient({ tenant: () => document.documentElement.dataset.tenant })
	 * ```
	 */
	tenant?: TenantId | (() => TenantId | Promise<TenantId>);
	/**
	 * The header that names the tenant. It must be the same as the server's option of this name.
	 *
	 * @default "x-tenant-id"
	 */
	tenantHeader?: string;
}

const routes = Object.values(ROUTES);

// Written out, because the inferred type would name a package that we do not depend on.
interface TenantAuthClient
	extends Pick<BetterAuthClientPlugin, "pathMethods" | "atomListeners" | "fetchPlugins"> {
	id: "tenant-auth";
	$InferServerPlugin: ReturnType<typeof tenantAuth>;
	$ERROR_CODES: typeof TENANT_AUTH_ERROR_CODES;
}

/** The typed client of `tenantAuth()`, for example `client.tenant.signIn.email(…)`. */
export const tenantAuthClient = (options: TenantAuthClientOptions = {}): TenantAuthClient => {
	const { tenant, tenantHeader = "x-tenant-id" } = options;
	return {
		id: "tenant-auth",
		$InferServerPlugin: {} as ReturnType<typeof tenantAuth>,
		// Otherwise the client would send GET for a call without a body and POST for a call with one.
		pathMethods: Object.fromEntries(routes.map(({ path, method }) => [path, method])),
		atomListeners: [
			{
				matcher: (path) => routes.some((route) => route.path === path && "createsSession" in route),
				signal: "$sessionSignal",
			},
		],
		fetchPlugins: [
			{
				id: "tenant-auth",
				name: "tenant-auth",
				hooks: {
					onRequest: async (request) => {
						const tenantId = typeof tenant === "function" ? await tenant() : tenant;
						// A call may name another tenant in its own header.
						if (tenantId && !request.headers.has(tenantHeader)) {
							request.headers.set(tenantHeader, tenantId);
						}
						return request;
					},
				},
			},
		],
		$ERROR_CODES: TENANT_AUTH_ERROR_CODES,
	};
};
