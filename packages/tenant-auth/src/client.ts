import type { BetterAuthClientPlugin } from "@better-auth/core";
import { type AuthQueryAtom, useAuthQuery } from "better-auth/client";
import { TENANT_AUTH_ERROR_CODES } from "./error-codes";
import { TENANT_CHOOSER_ERROR_CODES } from "./features/chooser/error-codes";
import type { tenantChooser } from "./features/chooser/plugin";
import { CHOOSER_ROUTES } from "./features/chooser/routes";
import { TENANT_DOMAINS_ERROR_CODES } from "./features/domains/error-codes";
import type { tenantDomains } from "./features/domains/plugin";
import { DOMAIN_ROUTES } from "./features/domains/routes";
import type { CurrentTenant } from "./features/endpoints/current-tenant";
import { TENANT_IMPORTS_ERROR_CODES } from "./features/imports/error-codes";
import type { tenantImports } from "./features/imports/plugin";
import { IMPORT_ROUTES } from "./features/imports/routes";
import { TENANT_INVITATIONS_ERROR_CODES } from "./features/invitations/error-codes";
import type { tenantInvitations } from "./features/invitations/plugin";
import { INVITATION_ROUTES } from "./features/invitations/routes";
import { TENANT_LINKS_ERROR_CODES } from "./features/links/error-codes";
import type { tenantLinks } from "./features/links/plugin";
import { LINK_ROUTES } from "./features/links/routes";
import type { tenantOpenId } from "./features/openid/plugin";
import { OPENID_ROUTES } from "./features/openid/routes";
import type { tenantSignIns } from "./features/sign-ins/plugin";
import { SIGN_IN_ROUTES } from "./features/sign-ins/routes";
import { TENANT_WEBHOOKS_ERROR_CODES } from "./features/webhooks/error-codes";
import type { tenantWebhooks } from "./features/webhooks/plugin";
import { WEBHOOK_ROUTES } from "./features/webhooks/routes";
import type { TenantMetadata } from "./management/tenants/tenant";
import type { TenantAuthPlugin } from "./plugin";
import { ROUTES, type Route } from "./routes";

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

/** Otherwise the client would send GET for a call without a body and POST for a call with one. */
const methodsOf = (routes: Readonly<Record<string, Pick<Route, "path" | "method">>>) =>
	Object.fromEntries(Object.values(routes).map(({ path, method }) => [path, method]));

const createsSession = (routes: Readonly<Record<string, Route>>) => {
	const all = Object.values(routes);
	return (path: string) => all.some((route) => route.path === path && route.createsSession);
};

/** Of an instance of Better Auth, or with the type of the metadata alone. */
type ServerPlugin<Known extends object> = Known extends {
	options: { plugins: readonly (infer Plugin)[] };
}
	? Extract<Plugin, { id: "tenant-auth" }>
	: TenantAuthPlugin<Known>;

// Written out, because the inferred type would name a package that we do not depend on.
export interface TenantAuthClient<Known extends object = TenantMetadata>
	extends Pick<BetterAuthClientPlugin, "pathMethods" | "atomListeners" | "fetchPlugins"> {
	id: "tenant-auth";
	$InferServerPlugin: ServerPlugin<Known>;
	getAtoms: (...input: Parameters<NonNullable<BetterAuthClientPlugin["getAtoms"]>>) => {
		tenant: AuthQueryAtom<CurrentTenant>;
	};
	getActions: NonNullable<BetterAuthClientPlugin["getActions"]>;
	$ERROR_CODES: typeof TENANT_AUTH_ERROR_CODES;
}

/**
 * The typed client of `tenantAuth()`, for example `client.tenant.signIn.email(…)`. With the type of your
 * server, as in `tenantAuthClient<typeof auth>()`, it knows your metadata and your `userFields`. With the
 * type of your metadata, as in `tenantAuthClient<Metadata>()`, tenants have it.
 *
 * `client.useTenant()` is the tenant of the signed-in user, in the client of any framework that has
 * `client.useSession()`.
 */
export const tenantAuthClient = <Known extends object = TenantMetadata>(
	options: TenantAuthClientOptions = {},
): TenantAuthClient<Known> => {
	const { tenant, tenantHeader = "x-tenant-id" } = options;
	return {
		id: "tenant-auth",
		$InferServerPlugin: {} as ServerPlugin<Known>,
		pathMethods: methodsOf(ROUTES),
		getAtoms: ($fetch) => ({
			tenant: useAuthQuery<CurrentTenant>([], ROUTES.currentTenant.path, $fetch, { method: "GET" }),
		}),
		getActions: (_, { atoms }) => {
			// Another session may be one of another tenant. It matters only if a component shows it.
			atoms.$sessionSignal?.listen(() => {
				if (atoms.tenant?.lc) void atoms.tenant.get().refetch();
			});
			return {};
		},
		atomListeners: [
			{
				matcher: createsSession(ROUTES),
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
					onSuccess: ({ data, response }) => {
						if (!Array.isArray(data)) return;
						const total = response.headers.get("x-total-count");
						Object.defineProperties(data, {
							total: { value: total === null ? Number.NaN : Number(total) },
							nextCursor: { value: response.headers.get("x-next-cursor") },
							searchLimited: { value: response.headers.get("x-search-limited") === "true" },
						});
					},
				},
			},
		],
		$ERROR_CODES: TENANT_AUTH_ERROR_CODES,
	};
};

/** The typed client of `tenantWebhooks()`, for example `client.tenant.webhook.create(…)`. */
export const tenantWebhooksClient = () => ({
	id: "tenant-auth-webhooks" as const,
	$InferServerPlugin: {} as ReturnType<typeof tenantWebhooks>,
	pathMethods: methodsOf(WEBHOOK_ROUTES),
	$ERROR_CODES: TENANT_WEBHOOKS_ERROR_CODES,
});

/** The typed client of `tenantInvitations()`, for example `client.tenant.invitation.create(…)`. */
export const tenantInvitationsClient = () => ({
	id: "tenant-auth-invitations" as const,
	$InferServerPlugin: {} as ReturnType<typeof tenantInvitations>,
	pathMethods: methodsOf(INVITATION_ROUTES),
	atomListeners: [
		{ matcher: createsSession(INVITATION_ROUTES), signal: "$sessionSignal" as const },
	],
	$ERROR_CODES: TENANT_INVITATIONS_ERROR_CODES,
});

/** The typed client of `tenantLinks()`, for example `client.tenant.link.list()`. */
export const tenantLinksClient = () => ({
	id: "tenant-auth-links" as const,
	$InferServerPlugin: {} as ReturnType<typeof tenantLinks>,
	pathMethods: methodsOf(LINK_ROUTES),
	atomListeners: [{ matcher: createsSession(LINK_ROUTES), signal: "$sessionSignal" as const }],
	$ERROR_CODES: TENANT_LINKS_ERROR_CODES,
});

/** The typed client of `tenantSignIns()`, for example `client.tenant.signIn.list(…)`. */
export const tenantSignInsClient = () => ({
	id: "tenant-auth-sign-ins" as const,
	$InferServerPlugin: {} as ReturnType<typeof tenantSignIns>,
	pathMethods: methodsOf(SIGN_IN_ROUTES),
});

/** The typed client of `tenantDomains()`, for example `client.tenant.domain.add(…)`. */
export const tenantDomainsClient = () => ({
	id: "tenant-auth-domains" as const,
	$InferServerPlugin: {} as ReturnType<typeof tenantDomains>,
	pathMethods: methodsOf(DOMAIN_ROUTES),
	$ERROR_CODES: TENANT_DOMAINS_ERROR_CODES,
});

/** The typed client of `tenantChooser()`, for example `client.tenant.chooser.start(…)`. */
export const tenantChooserClient = () => ({
	id: "tenant-auth-chooser" as const,
	$InferServerPlugin: {} as ReturnType<typeof tenantChooser>,
	pathMethods: methodsOf(CHOOSER_ROUTES),
	$ERROR_CODES: TENANT_CHOOSER_ERROR_CODES,
});

/** The typed client of `tenantOpenId()`, for example `client.tenant.oauthConfig.test(…)`. */
export const tenantOpenIdClient = () => ({
	id: "tenant-auth-openid" as const,
	$InferServerPlugin: {} as ReturnType<typeof tenantOpenId>,
	pathMethods: methodsOf(OPENID_ROUTES),
});

/** The typed client of `tenantImports()`, for example `client.tenant.user.import(…)`. */
export const tenantImportsClient = () => ({
	id: "tenant-auth-imports" as const,
	$InferServerPlugin: {} as ReturnType<typeof tenantImports>,
	pathMethods: methodsOf(IMPORT_ROUTES),
	$ERROR_CODES: TENANT_IMPORTS_ERROR_CODES,
});
