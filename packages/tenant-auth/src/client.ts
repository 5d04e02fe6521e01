import type { BetterAuthClientPlugin } from "@better-auth/core";
import { TENANT_AUTH_ERROR_CODES } from "./error-codes";
import type { tenantAuth } from "./plugin";

type TenantId = string | null | undefined;

export interface TenantAuthClientOptions {
	/**
	 * The tenant that every call of this client names, as a value or as a function that is asked at
	 * each call. Without an answer no header is sent.
	 *
	 * @example
	 * ```ts
	 * tenantAuthClient({ tenant: () => document.documentElement.dataset.tenant })
	 * ```
	 */
	tenant?: TenantId | (() => TenantId | Promise<TenantId>);
	/**
	 * The header that names the tenant, as in the server's option of the same name.
	 *
	 * @default "x-tenant-id"
	 */
	tenantHeader?: string;
}

// Spelled out, since the inferred type would name a package that is none of our dependencies.
interface TenantAuthClient
	extends Pick<BetterAuthClientPlugin, "pathMethods" | "atomListeners" | "fetchPlugins"> {
	id: "tenant-auth";
	$InferServerPlugin: ReturnType<typeof tenantAuth>;
	$ERROR_CODES: typeof TENANT_AUTH_ERROR_CODES;
}

/** The client side of `tenantAuth()`: `client.tenant.signIn.email(…)` and the rest, typed. */
export const tenantAuthClient = (options: TenantAuthClientOptions = {}): TenantAuthClient => {
	const { tenant, tenantHeader = "x-tenant-id" } = options;
	return {
		id: "tenant-auth",
		$InferServerPlugin: {} as ReturnType<typeof tenantAuth>,
		// Else the client sends GET for a call without a body and POST for one with.
		pathMethods: {
			"/tenant/list": "GET",
			"/tenant/get": "GET",
			"/tenant/oauth-config/list": "GET",
			"/tenant/oauth-config/effective": "GET",
			"/tenant/login-options": "GET",
			"/tenant/user/list": "GET",
			"/tenant/user/get": "GET",
			"/tenant/session/list": "GET",
			"/tenant/audit/list": "GET",
			"/tenant/suspend": "POST",
			"/tenant/resume": "POST",
			"/tenant/oauth-config/delete": "POST",
			"/tenant/sign-in/social": "POST",
		},
		atomListeners: [
			{
				matcher: (path) =>
					path === "/tenant/sign-in/email" ||
					path === "/tenant/sign-up/email" ||
					path === "/tenant/sign-in/social",
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
						// A call that names its tenant itself keeps it.
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
